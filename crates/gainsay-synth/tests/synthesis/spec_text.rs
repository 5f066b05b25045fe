//! Reads specifications from text, for tests.

use std::collections::BTreeMap;

use gainsay_smt::{Axiom, FunId, Sort, TermId, VarId};
use gainsay_synth::{EventAtom, Goal, GoalKind, OpId, OpKind, Spec, TracePattern, TraceRule};

/// Reads a specification. It panics on anything that the specifications of the tests lack.
pub(crate) fn read_spec(text: &str) -> Spec {
    let mut reader = SpecReader {
        tokens: tokens(text),
        at: 0,
        spec: Spec::default(),
        sorts: BTreeMap::new(),
        funs: BTreeMap::new(),
        definitions: BTreeMap::new(),
        scopes: Vec::new(),
        constant_results: BTreeMap::new(),
    };
    reader.spec();
    reader.spec
}

fn tokens(text: &str) -> Vec<String> {
    const SYMBOLS: [&str; 12] =
        ["<=>", "==>", "..", "->", "==", "!=", "<=", ">=", "&&", "||", "//", "!{"];
    let mut all = Vec::new();
    for line in text.lines() {
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let length = if first.is_alphanumeric() || first == '_' {
                rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len())
            } else {
                SYMBOLS
                    .iter()
                    .find(|it| rest.starts_with(**it))
                    .map_or(first.len_utf8(), |it| it.len())
            };
            let token = &rest[..length];
            rest = &rest[length..];
            match token {
                "//" => break,
                "!{" => all.extend(["!".to_owned(), "{".to_owned()]),
                _ if first.is_whitespace() => {}
                _ => all.push(token.to_owned()),
            }
        }
    }
    all
}

struct SpecReader {
    tokens: Vec<String>,
    at: usize,
    spec: Spec,
    sorts: BTreeMap<String, Sort>,
    funs: BTreeMap<String, FunId>,
    definitions: BTreeMap<String, (Vec<VarId>, TermId)>,
    scopes: Vec<BTreeMap<String, TermId>>,
    constant_results: BTreeMap<String, TermId>,
}

impl SpecReader {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens[self.at - 1].clone()
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) {
        let found = self.next();
        let near = self.tokens[self.at.saturating_sub(8)..self.at].join(" ");
        assert_eq!(found, token, "near {near}");
    }

    fn spec(&mut self) {
        self.expect("spec");
        self.spec.name = self.next();
        self.expect("{");
        while !self.eat("}") {
            let keyword = self.next();
            match keyword.as_str() {
                "sort" => self.sort(),
                "data" => self.data(),
                "fn" => self.function(),
                "axiom" => self.axiom(),
                "gen" | "cont" => self.operation(OpKind::Gen),
                "obs" => self.operation(OpKind::Obs),
                "ghost" => self.operation(OpKind::Ghost),
                "init" => self.init(),
                "rule" => self.rule(),
                "violation" => self.goal(GoalKind::Violation),
                "scenario" => self.goal(GoalKind::Scenario),
                _ => panic!("unknown item {keyword}"),
            }
        }
    }

    fn sort(&mut self) {
        let name = self.next();
        if self.eat("{") {
            let mut constants = Vec::new();
            while !self.eat("}") {
                constants.push(self.next());
                self.eat(",");
            }
            let names: Vec<&str> = constants.iter().map(String::as_str).collect();
            let id = self.spec.terms.signature.add_enumeration(&name, &names);
            self.sorts.insert(name, Sort::Named(id));
            self.name_constructors(Sort::Named(id));
        } else {
            let id = self.spec.terms.signature.add_sort(&name);
            self.sorts.insert(name, Sort::Named(id));
        }
        self.eat(";");
    }

    fn name_constructors(&mut self, sort: Sort) {
        for fun in self.spec.terms.signature.constructors(sort).unwrap().to_vec() {
            let name = self.spec.terms.signature.fun(fun).name.clone();
            if self.spec.terms.signature.fun(fun).params.is_empty() {
                let constant = self.spec.terms.app(fun, Vec::new());
                self.constant_results.insert(name.clone(), constant);
            }
            self.funs.insert(name, fun);
        }
    }

    fn data(&mut self) {
        let name = self.next();
        let id = self.spec.terms.signature.add_sort(&name);
        self.sorts.insert(name, Sort::Named(id));
        self.expect("{");
        let mut constructors: Vec<(String, Vec<Sort>)> = Vec::new();
        while !self.eat("}") {
            let name = self.next();
            let mut params = Vec::new();
            if self.eat("(") {
                while !self.eat(")") {
                    params.push(self.read_sort());
                    self.eat(",");
                }
            }
            constructors.push((name, params));
            self.eat(",");
        }
        self.eat(";");
        let constructors: Vec<(&str, Vec<Sort>)> =
            constructors.iter().map(|it| (it.0.as_str(), it.1.clone())).collect();
        self.spec.terms.signature.set_constructors(id, &constructors);
        self.name_constructors(Sort::Named(id));
    }

    fn read_sort(&mut self) -> Sort {
        let name = self.next();
        match name.as_str() {
            "Int" => Sort::Int,
            "Bool" => Sort::Bool,
            _ => self.sorts[&name],
        }
    }

    /// `(x: Sort, y: Sort{it > 0})`, with the conjunction of the refinements.
    fn variables(&mut self) -> (Vec<(String, VarId)>, TermId) {
        let mut vars = Vec::new();
        let mut all = Vec::new();
        self.expect("(");
        while !self.eat(")") {
            let name = self.next();
            self.expect(":");
            let sort = self.read_sort();
            let var = self.spec.terms.signature.add_var(&name, sort);
            all.extend(self.refinement(var));
            vars.push((name, var));
            self.eat(",");
        }
        (vars, self.spec.terms.and(all))
    }

    fn refinement(&mut self, var: VarId) -> Option<TermId> {
        if !self.eat("{") {
            return None;
        }
        let it = self.spec.terms.var(var);
        self.scopes.push(BTreeMap::from([("it".to_owned(), it)]));
        let condition = self.expr();
        self.scopes.pop();
        self.expect("}");
        Some(condition)
    }

    fn open_scope(&mut self, vars: &[(String, VarId)]) {
        let scope = vars.iter().map(|it| (it.0.clone(), self.spec.terms.var(it.1))).collect();
        self.scopes.push(scope);
    }

    fn function(&mut self) {
        let name = self.next();
        let (params, _) = self.variables();
        self.expect("->");
        let result = self.read_sort();
        if self.eat("=") {
            self.open_scope(&params);
            let body = self.expr();
            self.scopes.pop();
            let params = params.into_iter().map(|it| it.1).collect();
            self.definitions.insert(name, (params, body));
        } else {
            let sorts: Vec<Sort> =
                params.iter().map(|it| self.spec.terms.signature.var(it.1).sort).collect();
            let id = self.spec.terms.signature.add_fun(&name, &sorts, result);
            self.funs.insert(name, id);
        }
        self.expect(";");
    }

    fn axiom(&mut self) {
        let vars = if self.eat("forall") { self.variables().0 } else { Vec::new() };
        self.open_scope(&vars);
        let body = self.expr();
        self.scopes.pop();
        self.expect(";");
        let vars = vars.into_iter().map(|it| it.1).collect();
        self.spec.axioms.push(Axiom { vars, body });
    }

    fn operation(&mut self, kind: OpKind) {
        let name = self.next();
        let mut fields = Vec::new();
        self.expect("(");
        while !self.eat(")") {
            let name = self.next();
            self.expect(":");
            fields.push((name, self.read_sort()));
            self.eat(",");
        }
        self.expect(";");
        let fields: Vec<(&str, Sort)> = fields.iter().map(|it| (it.0.as_str(), it.1)).collect();
        self.spec.add_operation(&name, kind, &fields);
    }

    fn init(&mut self) {
        self.expect("[");
        while !self.eat("]") {
            let name = self.next();
            let op = self.op(&name);
            let mut args = Vec::new();
            self.expect("(");
            while !self.eat(")") {
                args.push(self.expr());
                self.eat(",");
            }
            self.spec.init.push((op, args));
            self.eat(",");
        }
        self.expect(";");
    }

    fn op(&self, name: &str) -> OpId {
        self.spec.find_operation(name).unwrap_or_else(|| panic!("no operation {name}"))
    }

    fn rule(&mut self) {
        let name = self.next();
        let op = self.op(&name);
        let fields = self.spec.operation(op).fields.clone();
        let mut params = Vec::new();
        let mut scope = BTreeMap::new();
        let mut when = Vec::new();
        self.expect("(");
        for field in fields {
            let sort = self.spec.terms.signature.var(field).sort;
            let name = self.next();
            let var = self.spec.terms.signature.add_var(&name, sort);
            scope.insert(name, self.spec.terms.var(var));
            if self.eat(":") {
                self.read_sort();
                self.scopes.push(scope.clone());
                when.extend(self.refinement(var));
                self.scopes.pop();
            }
            params.push(var);
            self.eat(",");
        }
        self.expect(")");
        self.scopes.push(scope);
        let mut ghosts = Vec::new();
        if self.eat("given") {
            let (vars, condition) = self.variables();
            when.push(condition);
            self.open_scope(&vars);
            ghosts = vars.into_iter().map(|it| it.1).collect();
        } else {
            self.scopes.push(BTreeMap::new());
        }
        if self.eat("when") {
            when.push(self.expr());
        }
        let mut rule = TraceRule {
            op,
            params,
            ghosts,
            when: self.spec.terms.and(when),
            history: None,
            futures: Vec::new(),
            emits: Vec::new(),
            owes: Vec::new(),
        };
        if self.eat("{") {
            while !self.eat("}") {
                let keyword = self.next();
                match keyword.as_str() {
                    "history" => rule.history = Some(self.pattern()),
                    "future" => rule.futures.push(self.pattern()),
                    "emits" | "owes" => {
                        let mut atoms = vec![self.event()];
                        while self.eat(",") {
                            atoms.push(self.event());
                        }
                        if keyword == "emits" { &mut rule.emits } else { &mut rule.owes }
                            .extend(atoms);
                    }
                    _ => panic!("unknown clause {keyword}"),
                }
                self.expect(";");
            }
        } else {
            self.expect(";");
        }
        self.scopes.truncate(self.scopes.len() - 2);
        self.spec.rules.push(rule);
    }

    fn goal(&mut self, kind: GoalKind) {
        let name = self.next();
        let (vars, _) = self.variables();
        self.expect("=");
        self.open_scope(&vars);
        let pattern = self.pattern();
        self.scopes.pop();
        self.expect(";");
        let vars = vars.into_iter().map(|it| it.1).collect();
        self.spec.goals.push(Goal { name, kind, vars, pattern });
    }

    // ----- patterns

    fn pattern(&mut self) -> TracePattern {
        let mut parts = vec![self.conjunction()];
        while self.eat("|") {
            parts.push(self.conjunction());
        }
        one_or(parts, TracePattern::Choice)
    }

    fn conjunction(&mut self) -> TracePattern {
        let mut parts = vec![self.pattern_atom()];
        while self.eat("&") {
            parts.push(self.pattern_atom());
        }
        one_or(parts, TracePattern::Both)
    }

    fn pattern_atom(&mut self) -> TracePattern {
        if self.eat("[") {
            let mut parts = Vec::new();
            while !self.eat("]") {
                parts.push(self.element());
                self.eat(",");
            }
            return TracePattern::Sequence(parts);
        }
        if self.eat("last") {
            return self.last();
        }
        self.expect("(");
        let inner = self.pattern();
        self.expect(")");
        self.repeated(inner)
    }

    fn last(&mut self) -> TracePattern {
        self.expect("(");
        let event = self.event();
        self.expect(")");
        TracePattern::Last(event)
    }

    fn repeated(&mut self, inner: TracePattern) -> TracePattern {
        if self.eat("*") { TracePattern::Repeat(Box::new(inner)) } else { inner }
    }

    fn element(&mut self) -> TracePattern {
        if self.eat("..") {
            return TracePattern::Anything;
        }
        if self.eat("expect") {
            return TracePattern::Expect(self.event());
        }
        if self.eat("!") {
            let mut atoms = Vec::new();
            if self.eat("{") {
                while !self.eat("}") {
                    atoms.push(self.event());
                    self.eat(",");
                }
            } else {
                atoms.push(self.event());
            }
            return self.repeated(TracePattern::Except(atoms));
        }
        if self.eat("any") {
            return self.repeated(TracePattern::AnyEvent);
        }
        if self.eat("last") {
            return self.last();
        }
        if self.eat("(") {
            let inner = self.pattern();
            self.expect(")");
            return self.repeated(inner);
        }
        let event = self.event();
        self.repeated(TracePattern::Event(event))
    }

    fn event(&mut self) -> EventAtom {
        let name = self.next();
        let op = self.op(&name);
        let fields = self.spec.operation(op).fields.clone();
        let names = self.spec.operation(op).field_names.clone();
        let mut conditions = Vec::new();
        if self.eat("(") {
            let mut position = 0;
            while !self.eat(")") {
                if self.eat("_") || self.eat("..") {
                } else {
                    let is_named = self.tokens[self.at + 1] == ":";
                    let field = if is_named {
                        let name = self.next();
                        self.expect(":");
                        names.iter().position(|it| *it == name).unwrap()
                    } else {
                        position
                    };
                    let value = self.expr();
                    let field = self.spec.terms.var(fields[field]);
                    conditions.push(self.spec.terms.eq(field, value));
                }
                position += 1;
                self.eat(",");
            }
        }
        if self.eat("{") {
            let pairs: Vec<(String, VarId)> =
                names.into_iter().zip(fields.iter().copied()).collect();
            self.open_scope(&pairs);
            conditions.push(self.expr());
            self.scopes.pop();
            self.expect("}");
        }
        EventAtom { op, condition: self.spec.terms.and(conditions) }
    }

    // ----- expressions

    fn expr(&mut self) -> TermId {
        let mut left = self.implication();
        while self.eat("<=>") {
            let right = self.implication();
            left = self.spec.terms.eq(left, right);
        }
        left
    }

    fn implication(&mut self) -> TermId {
        let left = self.disjunction();
        if self.eat("==>") {
            let right = self.implication();
            return self.spec.terms.implies(left, right);
        }
        left
    }

    fn disjunction(&mut self) -> TermId {
        let mut parts = vec![self.and()];
        while self.eat("||") {
            parts.push(self.and());
        }
        self.spec.terms.or(parts)
    }

    fn and(&mut self) -> TermId {
        let mut parts = vec![self.comparison()];
        while self.eat("&&") {
            parts.push(self.comparison());
        }
        self.spec.terms.and(parts)
    }

    fn comparison(&mut self) -> TermId {
        let left = self.sum();
        let operator = self.peek().to_owned();
        if !["==", "!=", "<", "<=", ">", ">="].contains(&operator.as_str()) {
            return left;
        }
        self.at += 1;
        let right = self.sum();
        let terms = &mut self.spec.terms;
        match operator.as_str() {
            "==" => terms.eq(left, right),
            "!=" => terms.ne(left, right),
            "<" => terms.lt(left, right),
            "<=" => terms.le(left, right),
            ">" => terms.lt(right, left),
            _ => terms.le(right, left),
        }
    }

    fn sum(&mut self) -> TermId {
        let mut left = self.primary();
        loop {
            if self.eat("+") {
                let right = self.primary();
                left = self.spec.terms.add(left, right);
            } else if self.eat("-") {
                let right = self.primary();
                left = self.spec.terms.sub(left, right);
            } else {
                return left;
            }
        }
    }

    fn primary(&mut self) -> TermId {
        if self.eat("!") {
            let inner = self.primary();
            return self.spec.terms.not(inner);
        }
        if self.eat("-") {
            let (zero, inner) = (self.spec.terms.int(0), self.primary());
            return self.spec.terms.sub(zero, inner);
        }
        if self.eat("(") {
            let inner = self.expr();
            self.expect(")");
            return inner;
        }
        let name = self.next();
        match name.as_str() {
            "true" => return TermId::TRUE,
            "false" => return TermId::FALSE,
            _ => {}
        }
        if let Ok(value) = name.parse::<i128>() {
            return self.spec.terms.int(value);
        }
        if self.peek() == "(" {
            self.at += 1;
            let mut args = Vec::new();
            while !self.eat(")") {
                args.push(self.expr());
                self.eat(",");
            }
            if let Some((params, body)) = self.definitions.get(&name).cloned() {
                let by: BTreeMap<VarId, TermId> = params.into_iter().zip(args).collect();
                return self.spec.terms.substitute(body, &by);
            }
            let fun = *self.funs.get(&name).unwrap_or_else(|| panic!("no function {name}"));
            return self.spec.terms.app(fun, args);
        }
        let bound = self.scopes.iter().rev().find_map(|it| it.get(&name).copied());
        bound
            .or_else(|| self.constant_results.get(&name).copied())
            .unwrap_or_else(|| panic!("no variable {name}"))
    }
}

fn one_or(
    mut parts: Vec<TracePattern>,
    join: fn(Vec<TracePattern>) -> TracePattern,
) -> TracePattern {
    if parts.len() == 1 { parts.remove(0) } else { join(parts) }
}
