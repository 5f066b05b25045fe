//! The prelude of every generated program: the types that the language knows by name, and the types
//! of the builtins as the standard library declares them.

use std::sync::LazyLock;

use gainsay_core::{
    BuiltinId, Ctor, CtorId, Field, Module, ModuleId, Program, Shape, Ty, TyId, TypeDef,
    TypeId, TypeTable, builtin,
};
use gainsay_source::{FileId, Span};

pub(super) const OPTION: TypeId = TypeId(0);
pub(super) const RESULT: TypeId = TypeId(1);
const BRANCH_PATH: TypeId = TypeId(2);
const EVENT: TypeId = TypeId(3);
const TRACE: TypeId = TypeId(4);
pub(super) const TRACED: TypeId = TypeId(5);

pub(super) const NONE: CtorId = CtorId(0);
pub(super) const SOME: CtorId = CtorId(1);
pub(super) const OK: CtorId = CtorId(2);
pub(super) const ERR: CtorId = CtorId(3);

/// The module of generated declarations.
pub(super) const MAIN: ModuleId = ModuleId(2);

/// The type of a builtin. Its type parameters are `Param`s.
pub(super) struct BuiltinSignature {
    pub(super) builtin: BuiltinId,
    pub(super) n_type_params: usize,
    pub(super) params: Vec<TyId>,
    pub(super) result: TyId,
}

/// The start of every program.
pub(super) struct ProgramPrelude {
    pub(super) program: Program,
    pub(super) signatures: Vec<BuiltinSignature>,
    pub(super) branch_path: TyId,
}

/// Built once; programs start as copies of it.
pub(super) static PRELUDE: LazyLock<ProgramPrelude> = LazyLock::new(prelude);

fn prelude() -> ProgramPrelude {
    let modules = ["branch_path", "trace", "main"].into_iter().map(|name| Module {
        name: name.into(),
        file: FileId(0),
        is_std: name != "main",
    });
    let mut program = Program { modules: modules.collect(), ..Program::default() };
    let types = &mut program.types;
    let a = types.intern(Ty::Param(0));
    let b = types.intern(Ty::Param(1));
    let ints = types.intern(Ty::List(TypeTable::INT));
    let texts = types.intern(Ty::List(TypeTable::STR));
    let event = types.intern(Ty::Named(EVENT, Box::default()));
    let step = types.intern(Ty::Tuple(Box::new([event, ints])));
    let steps = types.intern(Ty::List(step));
    let trace = types.intern(Ty::Named(TRACE, Box::default()));
    let branch_path = types.intern(Ty::Named(BRANCH_PATH, Box::default()));
    let mut sum = |name, module, params: &[&str], ctors: &[ConstructorShape<'_>]| {
        declare(&mut program, name, ModuleId(module), params, (Shape::Sum, ctors));
    };
    sum("Option", 2, &["A"], &[("None", &[]), ("Some", &[("", a)])]);
    sum("Result", 2, &["A", "E"], &[("Ok", &[("", a)]), ("Err", &[("", b)])]);
    sum("BranchPath", 0, &[], &[("BranchPath", &[("", ints)])]);
    let str = TypeTable::STR;
    let event_fields = [("method", str), ("args", texts), ("path", str)];
    let steps_fields = [("", steps)];
    let traced_fields = [("result", a), ("trace", trace), ("deep_trace", trace)];
    let record = Shape::Record;
    let trace_module = ModuleId(1);
    let variants = [("EffectEvent", &event_fields[..])];
    declare(&mut program, "EffectEvent", trace_module, &[], (record, &variants));
    let variants = [("Trace", &steps_fields[..])];
    declare(&mut program, "Trace", trace_module, &[], (Shape::Sum, &variants));
    let variants = [("Traced", &traced_fields[..])];
    declare(&mut program, "Traced", trace_module, &["A"], (record, &variants));
    let lang = &mut program.lang;
    (lang.option, lang.result) = (Some(OPTION), Some(RESULT));
    (lang.none, lang.some, lang.ok, lang.err) = (Some(NONE), Some(SOME), Some(OK), Some(ERR));
    let signatures = signatures(&mut program.types);
    ProgramPrelude { program, signatures, branch_path }
}

/// A constructor: its name, and the names and types of its fields.
pub(super) type ConstructorShape<'a> = (&'a str, &'a [(&'a str, TyId)]);

/// Declares a sum or record.
pub(super) fn declare(
    program: &mut Program,
    name: &str,
    module: ModuleId,
    params: &[&str],
    (shape, variants): (Shape, &[ConstructorShape<'_>]),
) -> TypeId {
    let span = Span::new(FileId(0), 0, 0);
    let ty = TypeId(program.nominals.len() as u32);
    let first = program.ctors.len() as u32;
    for (tag, (name, fields)) in (0_u32..).zip(variants) {
        let field = |(name, ty): &(&str, TyId)| {
            let name = (!name.is_empty()).then(|| (*name).into());
            Field { name, ty: *ty, span }
        };
        let fields = fields.iter().map(field).collect();
        program.ctors.push(Ctor { name: (*name).into(), ty, tag, fields, span });
    }
    program.nominals.push(TypeDef {
        name: name.into(),
        module,
        span,
        params: params.iter().map(|it| (*it).into()).collect(),
        shape,
        ctors: (first..program.ctors.len() as u32).map(CtorId).collect(),
        weights: None,
    });
    ty
}

/// Reads the types of all builtins from the standard library.
fn signatures(types: &mut TypeTable) -> Vec<BuiltinSignature> {
    let nothing = crate::SourceModule { name: "nothing.say".to_owned(), text: String::new() };
    let std = crate::check(&[nothing]).program.expect("the standard library has no errors");
    let mut signatures = Vec::new();
    for function in &std.functions {
        let name = format!("{}.{}", std.module(function.module).name, function.name);
        let Some(builtin) = builtin::find(&name) else { continue };
        if !std.module(function.module).is_std {
            continue;
        }
        let params = function.params.iter().map(|param| imported(&std, param.ty, types));
        signatures.push(BuiltinSignature {
            builtin,
            n_type_params: function.type_params.len(),
            params: params.collect(),
            result: imported(&std, function.result, types),
        });
    }
    assert_eq!(signatures.len(), builtin::ALL.len(), "every builtin is declared once");
    signatures
}

/// Translates a type of the standard library into our type table.
fn imported(std: &Program, ty: TyId, types: &mut TypeTable) -> TyId {
    let mut part = |part: TyId| imported(std, part, types);
    let ty = match std.types.get(ty) {
        Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|it| part(*it)).collect()),
        Ty::List(item) => Ty::List(part(*item)),
        Ty::Set(item) => Ty::Set(part(*item)),
        Ty::Map(key, value) => Ty::Map(part(*key), part(*value)),
        Ty::Named(name, args) if Some(*name) == std.lang.option => {
            Ty::Named(OPTION, args.iter().map(|it| part(*it)).collect())
        }
        Ty::Refined { base, .. } => return part(*base),
        plain @ (Ty::Int | Ty::Float | Ty::Bool | Ty::Char | Ty::Str | Ty::Param(_)) => {
            plain.clone()
        }
        strange @ (Ty::Named(..) | Ty::Function { .. } | Ty::Var(_) | Ty::Error) => {
            unreachable!("no builtin has a part of type {strange:?}")
        }
    };
    types.intern(ty)
}
