//! The functions of profiles: stubs that answer by call count, or by the requested range.

use gainsay_core::{
    BuiltinId, FunctionId, FunctionKind, LocalId, OpId, TermId, Ty, TyId, TypeId, TypeTable,
    builtin,
};

use super::{ProfileRule, Rewriter};
use crate::core_builder::{CoreBuilder, FunctionHeader};
use crate::derive::{Deriver, GeneratorMode};

impl Rewriter<'_> {
    /// `fn fits(value: T) {}`: a call checks the refinement of its parameter.
    pub(super) fn input_check(&mut self, ty: TyId) -> FunctionId {
        let function = self.deriver.reserve();
        for mode in [GeneratorMode::Search, GeneratorMode::Record] {
            let mut it = CoreBuilder::new(self.deriver.span);
            it.param("value", ty);
            let root = it.unit();
            let header = self.deriver.header("fits", TypeTable::UNIT);
            let header = FunctionHeader { row: TypeTable::PURE, ..header };
            self.deriver.define(mode, function, it.finish(header, root));
        }
        function
    }

    /// The stub that the profiles of an operation with the same rule share.
    pub(super) fn profile_stub(&mut self, op: OpId, rule: ProfileRule) -> FunctionId {
        let function = self.deriver.reserve();
        for mode in [GeneratorMode::Search, GeneratorMode::Record] {
            let written = self.write_stub(op, rule);
            self.deriver.define(mode, function, written);
        }
        function
    }

    fn write_stub(&mut self, op: OpId, rule: ProfileRule) -> gainsay_core::Function {
        let program = self.deriver.program;
        let operation = program.op(op);
        let mut it = CoreBuilder::new(self.deriver.span);
        let captures = self.captures(&mut it, operation.result, rule);
        // Stubs of such operations take a branch path and a call count before their own parameters.
        let n = operation.kind.stub_takes_path_and_count().then(|| {
            let path = self.deriver.branch_path();
            it.param("path", path);
            it.param("n", TypeTable::INT)
        });
        let params = operation.params.iter();
        let args: Vec<LocalId> = params.map(|(name, ty)| it.param(name, *ty)).collect();
        let root = match (rule, &captures[..], &args[..]) {
            (ProfileRule::Sequence | ProfileRule::Cycle, [answers], _) => {
                answer_at(&mut it, *answers, operation.result, n, rule)
            }
            (ProfileRule::Steps, [start, step], _) => {
                let (start, step) = (it.local(*start), it.local(*step));
                // Without a call count the answer stays at its start.
                let n = match n {
                    Some(n) => it.local(n),
                    None => it.int(0),
                };
                let distance = int(&mut it, builtin::INT_MUL, n, step);
                int(&mut it, builtin::INT_ADD, start, distance)
            }
            (_, _, [min, max, ..]) => in_range(&mut it, rule, n, *min, *max),
            (_, _, _) => it.int(0),
        };
        let n_captures = captures.len() as u32;
        let header = self.deriver.header("profile", operation.result);
        let kind = FunctionKind::Lambda(self.placeholder_function());
        let header = FunctionHeader { kind, n_captures, row: TypeTable::PURE, ..header };
        it.finish(header, root)
    }

    fn captures(
        &mut self,
        it: &mut CoreBuilder,
        result: TyId,
        rule: ProfileRule,
    ) -> Vec<LocalId> {
        match rule {
            ProfileRule::Sequence | ProfileRule::Cycle => {
                let erased = self.deriver.types.erase_refinements(result);
                let list = self.deriver.types.intern(Ty::List(erased));
                vec![it.param("answers", list)]
            }
            ProfileRule::Steps => {
                vec![it.param("start", TypeTable::INT), it.param("step", TypeTable::INT)]
            }
            ProfileRule::Middle
            | ProfileRule::Least
            | ProfileRule::Greatest
            | ProfileRule::Extremes
            | ProfileRule::Declared => Vec::new(),
        }
    }
}

impl Deriver<'_> {
    /// The type `BranchPath`.
    pub(crate) fn branch_path(&mut self) -> TyId {
        let mut types = self.program.nominals.iter();
        let found = types
            .position(|it| &*it.name == "BranchPath" && self.program.module(it.module).is_std);
        found.map_or(TypeTable::UNIT, |at| {
            self.types.intern(Ty::Named(TypeId(at as u32), Box::default()))
        })
    }
}

/// `answers.at(if n < len { n } else { len - 1 })`, or `answers.at(n % len)`.
fn answer_at(
    it: &mut CoreBuilder,
    answers: LocalId,
    result: TyId,
    n: Option<LocalId>,
    rule: ProfileRule,
) -> TermId {
    let all = it.local(answers);
    let len = it.builtin(builtin::LIST_LEN, &[result], &[all], TypeTable::INT);
    let (len, bind) = it.bind("len", len);
    let at = match (n, rule) {
        (None, _) => it.int(0),
        (Some(n), ProfileRule::Cycle) => {
            let (n, len) = (it.local(n), it.local(len));
            int(it, builtin::INT_REM, n, len)
        }
        (Some(n), _) => {
            let (a, b) = (it.local(n), it.local(len));
            let is_early = it.builtin(builtin::LT, &[TypeTable::INT], &[a, b], TypeTable::BOOL);
            let early = it.local(n);
            let end = it.local(len);
            let last = it.arithmetic(builtin::INT_SUB, end, 1);
            it.if_(is_early, early, last)
        }
    };
    let all = it.local(answers);
    let answer = it.builtin(builtin::LIST_AT, &[result], &[all, at], result);
    it.block(vec![bind], answer)
}

fn in_range(
    it: &mut CoreBuilder,
    rule: ProfileRule,
    n: Option<LocalId>,
    min: LocalId,
    max: LocalId,
) -> TermId {
    let (least, greatest) = (it.local(min), it.local(max));
    match (rule, n) {
        (ProfileRule::Middle, _) => {
            let (from, to) = (it.local(min), it.local(max));
            let width = int(it, builtin::INT_SUB, to, from);
            let half = it.arithmetic(builtin::INT_DIV, width, 2);
            int(it, builtin::INT_ADD, least, half)
        }
        (ProfileRule::Greatest, _) => greatest,
        (ProfileRule::Extremes, Some(n)) => {
            let n = it.local(n);
            let odd = it.arithmetic(builtin::INT_REM, n, 2);
            let is_even = it.equals_int(odd, 0);
            it.if_(is_even, least, greatest)
        }
        (
            ProfileRule::Least
            | ProfileRule::Extremes
            | ProfileRule::Sequence
            | ProfileRule::Cycle
            | ProfileRule::Steps
            | ProfileRule::Declared,
            _,
        ) => least,
    }
}

fn int(it: &mut CoreBuilder, builtin: BuiltinId, a: TermId, b: TermId) -> TermId {
    it.builtin(builtin, &[], &[a, b], TypeTable::INT)
}
