//! Predicates compiled to generators.
//!
//! All goals about one structure are a *bundle*. A bundle is unfolded at each constructor of the
//! structure: the goals are evaluated as far as they get, constructors that contradict them are
//! dropped, and what is left is split by the parts of the structure, whose goals are bundles in
//! turn. Equal bundles are one function, so recursion closes (conjunctive partial deduction; De
//! Schreye and others, J. Logic Programming 1999). Known parts of goals are parameters: a goal
//! `x < a` and a goal `x < b` of all elements of a list are one bound, the smaller of the two.
//!
//! **Invariant:** A goal that is not understood is never guessed: then the query has no recipe, and
//! is searched.

mod each;
mod evaluate;
mod feasible;
mod key;
mod known;
mod linear;
mod plan;
mod recipe;
mod reduce;
mod relation;
mod state;
mod term;
mod told;
mod totality;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::rc::Rc;

use self::each::AssumedCall;
use self::key::BundleKey;
pub use self::recipe::{
    BundleId, BundleKind, GeneratorRecipe, IntBounds, PartStep, PickStep, RecipeBundle,
    RecipeExpr, RecipeMatch, RecipePattern, RecipeRule, RecipeStep, RecipeTest, SizePath,
    SizeShare,
};
use self::state::{RuleState, is_structure};
pub use self::term::SymVar;
use self::term::{EachElement, Sym, SymGoal, SymTerm};
use crate::code::{Code, CodeFnId, ExprId, ShapeId, ShapeKind, SlotId, TypeShape};
use crate::machine::SolverQuery;

/// Bundles of one query.
const MAX_BUNDLES: usize = 64;

/// Expressions that are evaluated for one query.
const MAX_STEPS: u32 = 200_000;

/// Why a query has no recipe.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum NotDerived {
    /// It asks for values of a type that has no constructors, or of a function.
    OpaqueValue,
    /// It has a relation.
    Relation,
    /// It says in which order to draw.
    OrderedDraw,
    /// It weighs its alternatives.
    WeighedArm,
    /// Evaluating it may fail.
    MayFail,
    /// It has arithmetic that is not linear.
    Arithmetic,
    /// A goal is about several structures at once.
    RelatedStructures,
    /// What is drawn depends on the structure of a value that is known only at run time.
    KnownStructure,
    /// There is no order in which everything can be drawn.
    NoOrder,
    /// It may come to a point where nothing is possible.
    DeadEnds,
    /// Integers would crowd at one end of their range.
    Crowded,
    /// A constructor has too many alternatives.
    TooManyAlternatives,
    /// There are too many different goals about parts.
    TooManyBundles,
    /// Evaluating it takes too many steps.
    TooManySteps,
    /// It nests too deeply.
    TooLarge,
    /// No value satisfies it.
    NoValue,
    /// It has a form that is not known here.
    NotUnderstood,
}

impl fmt::Display for NotDerived {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OpaqueValue => "it inspects strings, floats, sets or maps",
            Self::Relation => "it has a relation",
            Self::OrderedDraw => "it says in which order to draw",
            Self::WeighedArm => "it weights its alternatives",
            Self::MayFail => "it may fail on some values",
            Self::Arithmetic => "it has arithmetic that is not linear",
            Self::RelatedStructures => "it relates several structures",
            Self::KnownStructure => "it inspects a value that is not known in advance",
            Self::NoOrder => "its parts depend on each other in a circle",
            Self::DeadEnds => "its parts may turn out not to fit together",
            Self::TooManyAlternatives => "it has too many alternatives",
            Self::TooManyBundles => "its parts have too many different conditions",
            Self::TooManySteps | Self::TooLarge => "it is too large",
            Self::Crowded => "drawn one after the other, its integers would crowd at one end",
            Self::NoValue => "no value of finite size satisfies it",
            Self::NotUnderstood => "it has a form that only a search supports",
        })
    }
}

/// Derives a recipe for the unknown arguments of a query: those from `n_known` on.
///
/// # Errors
///
/// Some goal is not understood well enough.
pub fn derive_recipe(
    query: &SolverQuery,
    n_known: usize,
) -> Result<GeneratorRecipe, NotDerived> {
    totality::check(&query.code)?;
    let mut deriver = BundleDeriver::new(&query.code);
    deriver.derive_inputs(query, n_known)?;
    while let Some(next) = deriver.worklist.pop() {
        deriver.derive_bundle(next)?;
    }
    deriver.finish()
}

/// Derives the bundles of a query.
pub(crate) struct BundleDeriver<'c> {
    code: &'c Code,
    n_steps: u32,
    depth: u32,
    free_slots: HashMap<ExprId, Rc<[SlotId]>>,
    recursive: Rc<HashSet<CodeFnId>>,
    /// Calls that are left as they are, because their functions are being recognized.
    assumed: Vec<AssumedCall>,
    keys: Vec<BundleKey>,
    bundles: Vec<RecipeBundle>,
    /// Bundles whose rules are still to be derived.
    worklist: Vec<BundleId>,
}

impl<'c> BundleDeriver<'c> {
    fn new(code: &'c Code) -> Self {
        let recursive = totality::recursive_functions(code).into_iter().collect();
        Self {
            code,
            n_steps: 0,
            depth: 0,
            free_slots: HashMap::new(),
            recursive: Rc::new(recursive),
            assumed: Vec::new(),
            keys: Vec::new(),
            bundles: Vec::new(),
            worklist: Vec::new(),
        }
    }

    fn spend_step(&mut self) -> Result<(), NotDerived> {
        self.n_steps += 1;
        if self.n_steps > MAX_STEPS { Err(NotDerived::TooManySteps) } else { Ok(()) }
    }

    /// The functions that call themselves, directly or not.
    fn recursive_functions(&self) -> Rc<HashSet<CodeFnId>> {
        Rc::clone(&self.recursive)
    }

    /// The shape without refinements.
    fn base_shape(&self, mut shape: ShapeId) -> ShapeId {
        while let ShapeKind::Refined(base, _) = self.code.shape(shape).kind {
            shape = base;
        }
        shape
    }

    /// The bundle of the inputs: the query holds.
    fn derive_inputs(&mut self, query: &SolverQuery, n_known: usize) -> Result<(), NotDerived> {
        let code = self.code;
        let mut state = RuleState::default();
        let mut goals = Vec::new();
        let mut args: Vec<Sym> = Vec::new();
        let mut params = Vec::new();
        for (at, shape) in query.params.iter().enumerate() {
            let shape = self.base_shape(*shape);
            // Known arguments are parameters of the recipe: one recipe serves all their
            // values.
            if at < n_known {
                params.push(code.shape(shape).ty);
                let var = state.add_known(shape);
                args.push(Rc::new(SymTerm::Var(var)));
            } else {
                args.push(state.fresh(code, shape, &mut goals)?);
            }
        }
        let goal = Rc::new(SymTerm::Call(query.goal, args.clone().into()));
        goals.push(SymGoal::Is(goal, Rc::new(SymTerm::Bool(true))));
        self.keys.push(BundleKey::default());
        self.bundles.push(RecipeBundle {
            kind: BundleKind::Inputs,
            params,
            results: Vec::new(),
            rules: Vec::new(),
            may_die: false,
        });
        let shapes: Vec<ShapeId> = query.params[n_known..].to_vec();
        let types = shapes.iter().map(|it| code.shape(self.base_shape(*it)).ty);
        self.bundles[0].results = types.collect();
        let mut rules = Vec::new();
        for state in self.reduce(state, goals)? {
            let made = self.plan_inputs(state, n_known, &args[n_known..], &shapes)?;
            rules.push(made);
        }
        self.bundles[0].rules = rules;
        Ok(())
    }

    /// The bundle for goals about a structure.
    fn bundle(&mut self, key: BundleKey) -> Result<BundleId, NotDerived> {
        if let Some(at) = self.keys.iter().position(|it| *it == key) {
            return Ok(BundleId(at as u32));
        }
        if self.bundles.len() >= MAX_BUNDLES {
            return Err(NotDerived::TooManyBundles);
        }
        let id = BundleId(self.bundles.len() as u32);
        let kind = match key.shape {
            None => BundleKind::Solutions,
            Some(shape) => {
                let TypeShape { ty, kind, .. } = self.code.shape(shape);
                match kind {
                    ShapeKind::List(_) => BundleKind::List(*ty),
                    _ => BundleKind::Sum(*ty),
                }
            }
        };
        let types = |shapes: Vec<ShapeId>| {
            let code = self.code;
            shapes.into_iter().map(|it| code.shape(it).ty).collect()
        };
        self.bundles.push(RecipeBundle {
            kind,
            params: types(key.params()),
            results: types(key.results()),
            rules: Vec::new(),
            may_die: false,
        });
        self.keys.push(key);
        self.worklist.push(id);
        Ok(id)
    }

    /// Derives the rules of a bundle: one for each way in which its goals hold at a constructor.
    fn derive_bundle(&mut self, id: BundleId) -> Result<(), NotDerived> {
        let key = self.keys[id.index()].clone();
        let Some(shape) = key.shape else {
            self.bundles[id.index()].rules = self.derive_solutions(&key)?;
            return Ok(());
        };
        let mut rules = Vec::new();
        for at in 0..self.n_constructors(shape) {
            let mut state = RuleState::default();
            let mut goals = Vec::new();
            let opened = key.open(&mut state);
            state.depth = 1;
            let value = self.constructed(&mut state, shape, at, &mut goals)?;
            state.bind(opened.head, Rc::clone(&value));
            goals.extend(opened.goals);
            for state in self.reduce(state, goals)? {
                let mut rule =
                    self.plan_part(state, &opened.results, (&value, shape), key.n_params())?;
                rule.constructor = at;
                rules.push(rule);
            }
        }
        self.bundles[id.index()].rules = rules;
        Ok(())
    }

    /// Measures the rules, and drops those that never end.
    fn finish(mut self) -> Result<GeneratorRecipe, NotDerived> {
        // The least fixed point: a rule has a height once all its parts have one. A rule that
        // never gets one never ends.
        let mut heights: Vec<Option<u32>> = vec![None; self.bundles.len()];
        loop {
            let mut has_changed = false;
            for at in 0..self.bundles.len() {
                let own = self.bundles[at].rules.iter().filter_map(|it| height(it, &heights));
                let own = own.min();
                has_changed |= own != heights[at];
                heights[at] = own;
            }
            if !has_changed {
                break;
            }
        }
        for (own, bundle) in self.bundles.iter_mut().enumerate() {
            bundle.rules.retain_mut(|rule| {
                let height = height(rule, &heights);
                rule.end_rank = height.unwrap_or(0) * 16 + detour(rule, own);
                height.is_some()
            });
        }
        if self.bundles[0].rules.is_empty() {
            return Err(NotDerived::NoValue);
        }
        told::drop_certain_tests(&mut self.bundles);
        let is_refused = |it: &RecipeBundle| !self.comes_to_an_end(it) || depends_on_luck(it);
        if self.bundles.iter().any(is_refused) {
            return Err(NotDerived::DeadEnds);
        }
        known::check_finite(&self.bundles)?;
        // Admission comes first: alternatives that it excludes do not count as dead ends
        // below.
        feasible::add_admission(&mut self.bundles);
        self.mark_dead_ends();
        if self.bundles.iter().any(|bundle| bundle.rules.iter().any(|it| self.is_blind(it))) {
            return Err(NotDerived::DeadEnds);
        }
        if self.bundles.iter().any(is_crowded) {
            return Err(NotDerived::Crowded);
        }
        Ok(GeneratorRecipe { bundles: self.bundles })
    }

    /// Whether a rule draws without regard to what follows: if it tests what was drawn, or asks a
    /// part, which may not be possible, for what an integer leaves, as in sums.
    fn is_blind(&self, rule: &RecipeRule) -> bool {
        let mut drawn: Vec<SymVar> = Vec::new();
        let mut structures: Vec<SymVar> = Vec::new();
        for step in &rule.steps {
            match step {
                RecipeStep::Int(var, _) => drawn.push(*var),
                RecipeStep::Any(var, _) if self.is_sized(rule, *var) => structures.push(*var),
                RecipeStep::Any(..) | RecipeStep::Test(_) => {}
                RecipeStep::Part(_) | RecipeStep::Pick(_) => {}
            }
        }
        let mentions = |arg: &RecipeExpr, vars: &[SymVar]| {
            let mut has_one = false;
            arg.each_var(&mut |var| has_one |= vars.contains(&var));
            has_one
        };
        let is_rest = |arg: &RecipeExpr| {
            let RecipeExpr::Linear(parts, _) = arg else { return false };
            mentions(arg, &drawn) && (parts.len() > 1 || parts.iter().any(|it| it.0 < 0))
        };
        rule.steps.iter().any(|step| match step {
            RecipeStep::Part(part) => {
                let is_blind = |arg| is_rest(arg) || mentions(arg, &structures);
                self.bundles[part.bundle.index()].may_die && part.args.iter().any(is_blind)
            }
            // A test of what was drawn rejects it; whether there is room for an integer hardly does.
            RecipeStep::Test(test) => !matches!(test, RecipeTest::Room(..)),
            RecipeStep::Int(..) | RecipeStep::Any(..) | RecipeStep::Pick(_) => false,
        })
    }

    /// Whether the structures of a bundle end when no size is left, whatever known structures it is
    /// given: without parts, or by way of parts of the known structure.
    fn comes_to_an_end(&self, bundle: &RecipeBundle) -> bool {
        let is_given_structure = bundle.params.iter().any(|ty| {
            let mut shapes = (0..self.code.shapes.len() as u32).map(ShapeId);
            shapes.any(|it| self.code.shape(it).ty == *ty && is_structure(self.code, it))
        });
        let has_parts = bundle
            .rules
            .iter()
            .any(|rule| rule.steps.iter().any(|it| matches!(it, RecipeStep::Part(_))));
        if !is_given_structure || !has_parts {
            return true;
        }
        let ending = bundle.rules.iter().filter(|it| it.admission.is_empty() && goes_down(it));
        is_exhaustive(&ending.collect::<Vec<_>>())
    }

    /// Whether a variable of a rule has values of any size.
    fn is_sized(&self, rule: &RecipeRule, var: SymVar) -> bool {
        let ty = rule.vars[var.index()];
        let mut shapes = (0..self.code.shapes.len() as u32).map(ShapeId);
        shapes.any(|it| {
            let shape = self.code.shape(it);
            shape.ty == ty && (shape.is_sized || is_structure(self.code, it))
        })
    }

    /// Marks what may end without a value: a rule with a part that may, and a bundle without a rule
    /// that is always possible.
    fn mark_dead_ends(&mut self) {
        loop {
            let mut has_changed = false;
            let may_die: Vec<bool> = self.bundles.iter().map(|it| it.may_die).collect();
            for bundle in &mut self.bundles {
                for rule in &mut bundle.rules {
                    rule.may_die |= rule.steps.iter().any(|step| match step {
                        RecipeStep::Part(part) => may_die[part.bundle.index()],
                        RecipeStep::Test(_) | RecipeStep::Int(..) => false,
                        RecipeStep::Any(..) | RecipeStep::Pick(_) => false,
                    });
                }
                if bundle.kind == BundleKind::Solutions {
                    continue;
                }
                let is_open = is_open(bundle);
                let dies = !is_open || bundle.rules.iter().any(|it| it.may_die);
                has_changed |= dies && !bundle.may_die;
                bundle.may_die |= dies;
            }
            if !has_changed {
                return;
            }
        }
    }
}

/// Whether some alternative is always possible: one that nothing guards, or one for each constructor
/// of a parameter.
fn is_open(bundle: &RecipeBundle) -> bool {
    let free = bundle.rules.iter().filter(|it| it.admission.is_empty());
    is_exhaustive(&free.collect::<Vec<_>>())
}

/// Whether a bundle has a value only if several of the known values it is given, or their fields,
/// pass a test together. Whoever drew these did not know the test, so most would come to nothing,
/// and structures would stay small: a search draws them last.
fn depends_on_luck(bundle: &RecipeBundle) -> bool {
    let tests_given = |rule: &RecipeRule| {
        let fields: Vec<SymVar> =
            rule.matches.iter().flat_map(|it| it.pattern.vars()).collect();
        let is_given = |var: SymVar| var.index() < bundle.params.len() || fields.contains(&var);
        rule.admission.iter().any(|test| {
            let mut given = BTreeSet::new();
            test.each_var(&mut |var| {
                if is_given(var) {
                    given.insert(var);
                }
            });
            matches!(test, RecipeTest::Compare(..)) && given.len() > 1
        })
    };
    let (tested, free): (Vec<&RecipeRule>, Vec<&RecipeRule>) =
        bundle.rules.iter().partition(|it| tests_given(it));
    !tested.is_empty() && !is_exhaustive(&free)
}

/// Whether one of some alternatives always fits.
fn is_exhaustive(free: &[&RecipeRule]) -> bool {
    free.iter().any(|rule| match &rule.matches[..] {
        [] => true,
        [RecipeMatch { var, n_constructors, .. }] => {
            let mut patterns: Vec<&RecipePattern> = Vec::new();
            for other in free {
                if let [it] = &other.matches[..]
                    && it.var == *var
                    && !patterns.iter().any(|same| same.is_alike(&it.pattern))
                {
                    patterns.push(&it.pattern);
                }
            }
            patterns.len() == *n_constructors
        }
        _ => false,
    })
}

/// The number of constructors of the shallowest value of a rule.
fn height(rule: &RecipeRule, heights: &[Option<u32>]) -> Option<u32> {
    let mut most = 0;
    for step in &rule.steps {
        if let RecipeStep::Part(part) = step {
            most = most.max(heights[part.bundle.index()]?);
        }
    }
    Some(most + 1)
}

/// Among alternatives whose shallowest values are equally high, those come last that draw their own
/// bundle with nothing changed, such as a red node in a tree of some black height, and those with
/// more parts: taken again and again, they would never end.
fn detour(rule: &RecipeRule, own: usize) -> u32 {
    let mut n_parts = 0;
    let mut stalls = false;
    for step in &rule.steps {
        let RecipeStep::Part(part) = step else { continue };
        n_parts += 1;
        let mut args = (0..).map(SymVar).zip(&part.args);
        let is_unchanged = args.all(|(param, arg)| *arg == RecipeExpr::Var(param));
        stalls |= part.bundle.index() == own && is_unchanged && !part.args.is_empty();
    }
    u32::from(!goes_down(rule)) * 8 + u32::from(stalls) * 4 + n_parts.min(3)
}

/// Whether each part is given a part of a known value that is matched, so that it comes to an end
/// with that value; also if there are no parts.
fn goes_down(rule: &RecipeRule) -> bool {
    rule.steps.iter().all(|step| {
        let RecipeStep::Part(part) = step else { return true };
        part.args.iter().any(|arg| {
            let RecipeExpr::Var(var) = arg else { return false };
            rule.matches.iter().any(|it| it.pattern.binds(*var))
        })
    })
}

/// A goal with other variables: the one with number `n` becomes `vars[n]`.
fn replaced_vars(goal: &SymGoal, vars: &[SymVar]) -> SymGoal {
    fn in_term(term: &Sym, vars: &[SymVar]) -> Sym {
        if let SymTerm::Var(var) = &**term {
            let new = vars.get(var.index()).copied().unwrap_or(*var);
            return Rc::new(SymTerm::Var(new));
        }
        let parts = term.map_parts::<std::convert::Infallible>(&mut |it| Ok(in_term(it, vars)));
        parts.map_or_else(|never| match never {}, Rc::new)
    }
    match goal {
        SymGoal::Is(a, b) => SymGoal::Is(in_term(a, vars), in_term(b, vars)),
        SymGoal::Compare(op, a, b) => SymGoal::Compare(*op, in_term(a, vars), in_term(b, vars)),
        SymGoal::NotIn(a, b) => SymGoal::NotIn(in_term(a, vars), in_term(b, vars)),
        SymGoal::Each(each) => SymGoal::Each(EachElement {
            list: in_term(&each.list, vars),
            element: in_term(&each.element, vars),
            goals: each.goals.iter().map(|it| replaced_vars(it, vars)).collect(),
        }),
    }
}

/// Whether a bundle draws a chain of integers between two bounds, each of which is a bound of the
/// next. Drawn in this order, they come to the other bound after a few: a search, which draws the
/// middle first, spreads them.
fn is_crowded(bundle: &RecipeBundle) -> bool {
    let is_param = |var: SymVar| var.index() < bundle.params.len();
    bundle.rules.iter().any(|rule| {
        let mut parts = rule.steps.iter().filter_map(|step| match step {
            RecipeStep::Part(part) => Some(part),
            RecipeStep::Test(_) | RecipeStep::Int(..) => None,
            RecipeStep::Any(..) | RecipeStep::Pick(_) => None,
        });
        let (Some(rest), None) = (parts.next(), parts.next()) else { return false };
        rule.steps.iter().any(|step| {
            let RecipeStep::Int(drawn, bounds) = step else { return false };
            let mut follows_a_param = false;
            for bound in bounds.lo.iter().chain(&bounds.hi) {
                bound.each_var(&mut |var| follows_a_param |= is_param(var));
            }
            let is_next_bound = |arg: &RecipeExpr| {
                let mut has_drawn = false;
                arg.each_var(&mut |var| has_drawn |= var == *drawn);
                has_drawn && !matches!(arg, RecipeExpr::List(..))
            };
            let has_both = !bounds.lo.is_empty() && !bounds.hi.is_empty();
            has_both && follows_a_param && rest.args.iter().any(is_next_bound)
        })
    })
}
