//! The effect `Draw`: the requests of generated code to a runner. No source can name it.

use gainsay_core::{
    Effect, EffectId, ModuleId, OpId, Operation, OperationKind, Program, Row, RowId, Ty, TyId,
    TypeTable,
};
use gainsay_source::{FileId, Span};

macro_rules! draw_ops {
    ($($(#[$doc:meta])* $name:ident;)+) => {
        /// The operations that a runner handles.
        #[derive(Debug, Clone)]
        pub struct DrawOps {
            $($(#[$doc])*
            pub $name: OpId,)+
            /// The operations of `Gen` that are still performed.
            pub gen_: GenOps,
            /// The operations of `Claim`.
            pub claim: ClaimOps,
            /// The operations of `Walk`.
            pub walk: WalkOps,
        }
    };
}

draw_ops! {
    /// `across(site) -> Int`: 1 to draw inputs and run the body once, 0 to skip it.
    across;
    /// `leave() -> Int`: the body of an `across` has ended. Performed only by sites whose body may
    /// reach another `across`; nothing else depends on it.
    leave;
    /// `size() -> Int`: how large values should be.
    size;
    /// `int(kind) -> Int`: an integer.
    int;
    /// `int_within(kind, lo, hi) -> Int`: an integer of a kind between bounds. The case is discarded
    /// if there is none, here and in the next three.
    int_within;
    /// `int_from(kind, lo) -> Int`: an integer of a kind that is not below a bound.
    int_from;
    /// `int_to(kind, hi) -> Int`: an integer of a kind that is not above a bound.
    int_to;
    /// `int_except([kind, sides, lo, hi, ..except]) -> Int`: an integer of a kind that is between
    /// the bounds and not among the others. `sides` is 1 if there is a lower bound, plus 2 if there
    /// is an upper one. It is one list, because that has a fast path.
    int_except;
    /// `int_room([lo, hi, ..except]) -> Int`: 1 if an integer between two bounds is not among the
    /// others, else 0. Not a draw.
    int_room;
    /// `checks() -> Int`: 1 to check the condition on inputs that were drawn to satisfy it, 0 to rely
    /// on that. Only in the search program.
    checks;
    /// `mark() -> Int`: the state of the source, to come back to.
    mark;
    /// `back(mark) -> Int`: takes back what was drawn since a mark; 1 to go on, 0 to give up.
    back;
    /// `pick(kind) -> Int`: an alternative of a selector, or a boolean as 0 or 1.
    pick;
    /// `more(kind, n) -> Int`: 1 for one more element after the first `n`, else 0. Only in the
    /// search program.
    more;
    /// `element(container, n) -> Int`: the same in the record program; 1 opens the span of the
    /// element, which `close` closes.
    element;
    /// `index(n) -> Int`: a number from 0 to below `n`, which is at least 1.
    index;
    /// `open(label) -> Int`: opens a span. `open`, `close` and `drop` are only in the record
    /// program.
    open;
    /// `close() -> Int`: closes the innermost open span.
    close;
    /// `drop() -> Int`: closes the innermost open span as discarded.
    drop;
    /// `part(sort) -> Int`: begins a value that may be a copy of an earlier one of its sort.
    part;
    /// `part_end() -> Int`: ends the value that was begun last.
    part_end;
    /// `input(number) -> Int`: an input begins; edge cases wait for it.
    input;
    /// `float(kind) -> Float`.
    float;
    /// `char(kind) -> Char`.
    char;
    /// `text(kind) -> Str`; the kind is an index into `Lowered::texts`.
    text;
    /// `narrow<K, A>(query, size, known: K) -> A`: values on which a predicate holds; the query is
    /// an index into `Lowered::queries`. A single unknown is returned as it is, several as a tuple.
    narrow;
    /// `reject(filter) -> Int`: a value was rejected; 1 to try again, 0 to discard the case.
    reject;
    /// `accept(filter) -> Int`: a value was accepted. Only in the search program.
    accept;
    /// `discard<A>() -> A`: discards the case.
    discard;
    /// `given<A>(binder) -> Option<A>`: the value of an input, if it is supplied from outside.
    given;
    /// `bound<A>(binder, value: A)`: reports the value of an input.
    bound;
    /// `value<A>(binder, value: A) -> A`: reports the value of an input in the search program,
    /// where different draws may give the same value. It returns the value, so that a runner can
    /// ignore it.
    value;
    /// `tell<A>(place, value: A) -> A`: traces a value. Generated code does not perform it; code
    /// that traces values inserts it.
    tell;
    /// `function(type) -> Int`: the number of a new function. A closure whose first capture is that
    /// number represents it.
    function;
    /// `lookup<A, B>(function, args: A) -> Option<B>`: the memoized result, if any.
    lookup;
    /// `remember<A, B>(function, args: A, result: B)`: memoizes a result.
    remember;
}

macro_rules! known_ops {
    ($(#[$top:meta])* $type:ident of $effect:literal { $($field:ident $name:literal,)+ }) => {
        $(#[$top])*
        #[derive(Debug, Clone, Default)]
        pub struct $type {
            $(#[doc = concat!("`", $effect, ".", $name, "`.")]
            pub $field: Option<OpId>,)+
        }

        impl $type {
            fn find(program: &Program) -> Self {
                let find = |name: &str| std_op(program, $effect, name);
                $type { $($field: find($name),)+ }
            }
        }
    };
}

known_ops! {
    /// The operations of `Gen`.
    GenOps of "Gen" {
        int "int",
        float "float",
        bool "bool",
        char "char",
        str "str",
        elements "elements",
        shuffle "shuffle",
        size "size",
        set_size "set_size",
        discard "discard",
        weighted "weighted",
        urn "urn",
        lot "lot",
        more "more",
        any "any",
    }
}

known_ops! {
    /// The operations of `Claim`.
    ClaimOps of "Claim" {
        collect "collect",
        classify "classify",
        cover "cover",
        target "target",
        observe "observe",
        assume "assume",
    }
}

known_ops! {
    /// The operations of `Walk`.
    WalkOps of "Walk" {
        pool "pool",
        generator "generator",
        begin "begin",
        offer "offer",
        ask "ask",
        answer "answer",
        goes_on "goes_on",
        event "event",
        happens "happens",
        fault "fault",
    }
}

/// An effect of the standard library.
pub(crate) fn std_effect(program: &Program, name: &str) -> Option<EffectId> {
    let is_it = |it: &Effect| &*it.name == name && program.module(it.module).is_std;
    program.effects.iter().position(is_it).map(|at| EffectId(at as u32))
}

fn std_op(program: &Program, effect: &str, name: &str) -> Option<OpId> {
    let ops = &program.effect(std_effect(program, effect)?).ops;
    ops.iter().copied().find(|it| &*program.op(*it).name == name)
}

/// Adds the effect to a program.
pub(crate) fn declare_draw_effect(program: &mut Program) -> DrawOps {
    let host = std_effect(program, "Gen").map(|it| program.effect(it).clone());
    let nowhere = Span::new(FileId(0), 0, 0);
    let (module, span) = host.map_or((ModuleId(0), nowhere), |it| (it.module, it.span));
    let effect = EffectId(program.effects.len() as u32);
    let gen_ = GenOps::find(program);
    let claim = ClaimOps::find(program);
    let walk = WalkOps::find(program);
    let mut adding = DrawEffectBuilder { program, effect, span };
    let (int, float) = (TypeTable::INT, TypeTable::FLOAT);
    let (char, str, unit) = (TypeTable::CHAR, TypeTable::STR, TypeTable::UNIT);
    let a = adding.program.types.intern(Ty::Param(0));
    let b = adding.program.types.intern(Ty::Param(1));
    let ints = adding.program.types.intern(Ty::List(TypeTable::INT));
    let option_a = adding.option(a);
    let option_b = adding.option(b);
    let ops = DrawOps {
        across: adding.add_operation("across", &[("site", int)], int),
        leave: adding.add_operation("leave", &[], int),
        size: adding.add_operation("size", &[], int),
        int: adding.add_operation("int", &[("kind", int)], int),
        int_within: adding.add_operation(
            "int_within",
            &[("kind", int), ("lo", int), ("hi", int)],
            int,
        ),
        int_from: adding.add_operation("int_from", &[("kind", int), ("lo", int)], int),
        int_to: adding.add_operation("int_to", &[("kind", int), ("hi", int)], int),
        int_except: adding.add_operation("int_except", &[("how", ints)], int),
        int_room: adding.add_operation("int_room", &[("how", ints)], int),
        checks: adding.add_operation("checks", &[], int),
        mark: adding.add_operation("mark", &[], int),
        back: adding.add_operation("back", &[("mark", int)], int),
        pick: adding.add_operation("pick", &[("kind", int)], int),
        more: adding.add_operation("more", &[("kind", int), ("n", int)], int),
        element: adding.add_operation("element", &[("container", int), ("n", int)], int),
        index: adding.add_operation("index", &[("n", int)], int),
        open: adding.add_operation("open", &[("label", int)], int),
        close: adding.add_operation("close", &[], int),
        drop: adding.add_operation("drop", &[], int),
        part: adding.add_operation("part", &[("sort", int)], int),
        part_end: adding.add_operation("part_end", &[], int),
        input: adding.add_operation("input", &[("number", int)], int),
        float: adding.add_operation("float", &[("kind", int)], float),
        char: adding.add_operation("char", &[("kind", int)], char),
        text: adding.add_operation("text", &[("kind", int)], str),
        narrow: adding.add_operation(
            "narrow",
            &[("query", int), ("size", int), ("known", a)],
            b,
        ),
        reject: adding.add_operation("reject", &[("filter", int)], int),
        accept: adding.add_operation("accept", &[("filter", int)], int),
        discard: adding.add_operation("discard", &[], a),
        given: adding.add_operation("given", &[("binder", int)], option_a),
        bound: adding.add_operation("bound", &[("binder", int), ("value", a)], unit),
        value: adding.add_operation("value", &[("binder", int), ("value", a)], a),
        tell: adding.add_operation("tell", &[("place", int), ("value", a)], a),
        function: adding.add_operation("function", &[("type", int)], int),
        lookup: adding.add_operation("lookup", &[("function", int), ("args", a)], option_b),
        remember: adding.add_operation(
            "remember",
            &[("function", int), ("args", a), ("result", b)],
            unit,
        ),
        gen_,
        claim,
        walk,
    };
    let all = adding.all().collect();
    program.effects.push(Effect {
        name: "Draw".into(),
        module,
        span,
        ops: all,
        is_system: false,
    });
    ops
}

struct DrawEffectBuilder<'a> {
    program: &'a mut Program,
    effect: EffectId,
    span: Span,
}

impl DrawEffectBuilder<'_> {
    fn add_operation(&mut self, name: &str, params: &[(&str, TyId)], result: TyId) -> OpId {
        let id = OpId(self.program.ops.len() as u32);
        let tys = params.iter().map(|(_, ty)| *ty).chain([result]);
        let n_type_params = tys.map(|ty| self.n_type_params(ty)).max().unwrap_or(0);
        self.program.ops.push(Operation {
            name: name.into(),
            effect: self.effect,
            n_type_params,
            params: params.iter().map(|(name, ty)| ((*name).into(), *ty)).collect(),
            result,
            kind: OperationKind::Generative,
            span: self.span,
        });
        id
    }

    fn n_type_params(&self, ty: TyId) -> u32 {
        let types = &self.program.types;
        let mut most = 0;
        types.find(ty, &mut |_, ty| {
            if let Ty::Param(at) = ty {
                most = most.max(at + 1);
            }
            gainsay_core::SearchStep::Descend
        });
        most
    }

    fn option(&mut self, content: TyId) -> TyId {
        match self.program.lang.option {
            Some(option) => self.program.types.intern(Ty::Named(option, [content].into())),
            None => content,
        }
    }

    fn all(&self) -> impl Iterator<Item = OpId> + use<> {
        // The operations of the effect are consecutive: nothing else is added in between.
        let first = self.program.ops.iter().position(|it| it.effect == self.effect);
        let first = first.unwrap_or(self.program.ops.len()) as u32;
        (first..self.program.ops.len() as u32).map(OpId)
    }
}

/// The type table with rows in which everything that may perform `Gen` or `Claim` may perform
/// `Draw`. All ids stay the same.
pub(crate) fn with_draw_in_rows(program: &Program, n_ops_before: usize) -> TypeTable {
    let old = &program.types;
    let of = |name: &str| std_effect(program, name);
    let (generating, claiming) = (of("Gen"), of("Claim"));
    let is_host = |op: &OpId| {
        let effect = Some(program.op(*op).effect);
        effect == generating || effect == claiming
    };
    let draw: Vec<OpId> = (n_ops_before..program.ops.len()).map(|it| OpId(it as u32)).collect();
    // Intern rows and types in the order of their ids, so that each gets the same id again.
    let mut new = TypeTable::new();
    for at in 0..n_rows(old) {
        let row = old.get_row(RowId(at));
        let mut ops = row.ops.to_vec();
        if ops.iter().any(is_host) {
            ops.extend(&draw);
        }
        // Different rows stay different, so ids stay the same: no other row has these operations.
        new.intern_row(Row::new(ops, row.params.to_vec(), row.vars.to_vec()));
    }
    for at in 0..old.len() {
        new.intern(old.get(TyId(at as u32)).clone());
    }
    new
}

/// The number of rows of a table: the id that a new row would get.
fn n_rows(types: &TypeTable) -> u32 {
    let nobody = Row::new(vec![OpId(u32::MAX)], Vec::new(), Vec::new());
    types.clone().intern_row(nobody).0
}
