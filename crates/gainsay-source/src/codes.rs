//! The table of all diagnostic codes, one row per code.
//!
//! The hundreds digit gives the phase: 01 text, 02 names, 03 types, 04 effects, 05 claims and
//! generators, 06 running, 07 mutants, 08 proofs, 09 projects. A number is never reused.

/// How bad a diagnostic is before the project's settings are applied.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Severity {
    /// The program is rejected.
    Error,
    /// The program runs, but probably does not do what was meant.
    Warning,
    /// Informational.
    Note,
}

/// The static description of one kind of diagnostic.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct DiagnosticCode {
    /// The stable number: 101 is shown as `GS0101`.
    pub number: u16,
    /// The stable name, as in `unknown-character`.
    pub slug: &'static str,
    /// The severity unless a project overrides it.
    pub severity: Severity,
    /// One sentence for the index of error codes.
    pub summary: &'static str,
}

impl DiagnosticCode {
    /// The number as users see it: `GS0101`.
    pub fn name(self) -> String {
        format!("GS{:04}", self.number)
    }
}

/// Looks up a code by number (`GS0101`, `gs101`, `101`) or by slug.
pub fn find(text: &str) -> Option<DiagnosticCode> {
    let digits = text.strip_prefix("GS").or_else(|| text.strip_prefix("gs")).unwrap_or(text);
    let number = digits.parse::<u16>().ok();
    ALL.iter().copied().find(|code| Some(code.number) == number || code.slug == text)
}

macro_rules! codes {
    ($($name:ident = $number:literal $severity:ident $slug:literal: $summary:literal;)+) => {
        $(#[doc = $summary] pub const $name: DiagnosticCode = DiagnosticCode {
            number: $number, slug: $slug, severity: Severity::$severity, summary: $summary,
        };)+

        /// All codes, in the order of their numbers.
        pub const ALL: &[DiagnosticCode] = &[$($name),+];
    };
}

codes! {
    UNKNOWN_CHARACTER = 101 Error "unknown-character": "A character that cannot start a token.";
    UNCLOSED_STRING = 102 Error "unclosed-string": "A string or character literal that is never closed.";
    BAD_ESCAPE = 103 Error "bad-escape": "An invalid escape sequence.";
    BAD_NUMBER = 104 Error "bad-number": "A malformed number.";
    BAD_CHARACTER = 105 Error "bad-character": "A character literal that does not contain exactly one character.";
    UNEXPECTED_TOKEN = 110 Error "unexpected-token": "An unexpected token.";
    UNCLOSED_BRACKET = 111 Error "unclosed-bracket": "A bracket that is never closed.";
    TOO_DEEP = 112 Error "too-deep": "Code that is nested too deeply.";
    CHAINED_COMPARISON = 113 Error "chained-comparison": "A chained comparison.";
    MISPLACED_DOC = 114 Warning "misplaced-doc": "A doc comment that documents nothing.";
    FOREIGN_SYNTAX = 115 Error "foreign-syntax": "Syntax from another language.";
    LITERAL_INTERPOLATION = 116 Warning "literal-interpolation": "A string that seems to interpolate a variable.";
    UNKNOWN_NAME = 201 Error "unknown-name": "A value name that is not in scope.";
    UNKNOWN_TYPE = 202 Error "unknown-type": "A type name that is not in scope.";
    DUPLICATE_DEFINITION = 203 Error "duplicate-definition": "A name declared twice in one module.";
    UNKNOWN_MODULE = 204 Error "unknown-module": "A `use` of a module that does not exist.";
    CYCLIC_USE = 205 Error "cyclic-use": "Modules that use each other in a cycle.";
    UNKNOWN_MEMBER = 206 Error "unknown-member": "A member that the module, type or effect does not have.";
    UNKNOWN_CONSTRUCTOR = 207 Error "unknown-constructor": "A constructor name that is not in scope.";
    UNKNOWN_FIELD = 208 Error "unknown-field": "A field that the record or constructor does not have.";
    UNKNOWN_EFFECT = 209 Error "unknown-effect": "An effect or operation that is not declared.";
    AMBIGUOUS_NAME = 210 Error "ambiguous-name": "A name imported from two modules.";
    UNKNOWN_ATTRIBUTE = 211 Error "unknown-attribute": "An annotation that does not apply here.";
    BAD_ATTRIBUTE = 212 Error "bad-attribute": "An annotation with invalid arguments.";
    WRONG_CASE = 213 Error "wrong-case": "A name whose first letter has the wrong case.";
    UNUSED_VARIABLE = 214 Warning "unused-variable": "A variable that is never used.";
    TYPE_MISMATCH = 301 Error "type-mismatch": "A value of the wrong type.";
    WRONG_ARGUMENT_COUNT = 302 Error "wrong-argument-count": "A call with the wrong number of arguments.";
    NOT_A_FUNCTION = 303 Error "not-a-function": "A call of something that is not a function.";
    WRONG_TYPE_ARGUMENT_COUNT = 304 Error "wrong-type-argument-count": "Too many or too few type arguments.";
    CANNOT_INFER = 305 Error "cannot-infer": "A type that cannot be inferred.";
    NO_SUCH_METHOD = 306 Error "no-such-method": "A method that the receiver's type does not have.";
    NOT_A_RECORD = 307 Error "not-a-record": "A field access or update on a value without that field.";
    MISSING_FIELD = 308 Error "missing-field": "A record or constructor with missing fields.";
    DUPLICATE_FIELD = 309 Error "duplicate-field": "A field that is given or declared twice.";
    NON_EXHAUSTIVE_MATCH = 310 Error "non-exhaustive-match": "A match that does not cover all values.";
    UNREACHABLE_ARM = 311 Warning "unreachable-arm": "A pattern that can never match because of earlier ones.";
    REFUTABLE_PATTERN = 312 Error "refutable-pattern": "A `let` or parameter whose pattern may not match.";
    ENDLESS_TYPE = 313 Error "endless-type": "A recursive type without finite values.";
    CYCLIC_ALIAS = 314 Error "cyclic-alias": "A type alias that refers to itself.";
    SELF_CONTAINING_TYPE = 315 Error "self-containing-type": "An inferred type that would contain itself.";
    UNUSED_VALUE = 316 Warning "unused-value": "A value that is computed but not used.";
    BAD_TRY = 317 Error "bad-try": "A `?` that cannot return from the function.";
    NOT_COMPARABLE = 318 Error "not-comparable": "A comparison or printing of values that contain functions.";
    FLOAT_EQUALITY = 319 Warning "float-equality": "`==` on floats.";
    OR_PATTERN_BINDINGS = 320 Error "or-pattern-bindings": "Alternatives of a pattern that bind different names.";
    DUPLICATE_BINDING = 321 Error "duplicate-binding": "A pattern or parameter list that binds a name twice.";
    MISSING_BODY = 322 Error "missing-body": "A function without a body.";
    CYCLIC_CONSTANT = 323 Error "cyclic-constant": "A constant that depends on itself.";
    NAMED_ARGUMENT = 324 Error "named-argument": "A named argument where only positional ones are allowed.";
    BAD_MAIN = 325 Error "bad-main": "A `main` that cannot be run.";
    MISPLACED_FORM = 326 Error "misplaced-form": "A construct that is not allowed here.";
    HUGE_NUMBER = 327 Error "huge-number": "A number with too many digits.";
    UNDECLARED_EFFECT = 401 Error "undeclared-effect": "A call that performs an effect its function does not declare.";
    EFFECT_IN_PURE_PLACE = 402 Error "effect-in-pure-place": "An effect where only pure code is allowed.";
    TOO_EFFECTFUL = 403 Error "too-effectful": "A function with more effects than allowed here.";
    EFFECT_WITHOUT_WORLD = 404 Error "effect-without-world": "A claim that performs an effect without a stub.";
    PLACEBO_TEST = 501 Warning "placebo-test": "A test that observes nothing.";
    BAD_VERIFY = 502 Error "bad-verify": "A malformed verify block.";
    OUTPUT_STUB = 503 Error "output-stub": "A stub for an effect that has no answer.";
    UNNEEDED_STUB = 504 Warning "unneeded-stub": "A stub for an effect the function never performs.";
    BAD_EVENT_PATTERN = 505 Error "bad-event-pattern": "An invalid event pattern.";
    BAD_RULE = 506 Error "bad-rule": "A malformed rule of a relation.";
    LONELY_VARIABLE = 507 Warning "lonely-variable": "A variable that occurs only once in a rule.";
    NO_GENERATOR = 509 Error "no-generator": "An input that cannot be generated.";
    CONSTANT_OBSERVE = 510 Warning "constant-observe": "An observation that does not depend on the code under test.";
    DEAD_OBSERVE = 511 Warning "dead-observe": "An observation that is never reached.";
    LOOSE_TEST = 512 Warning "loose-test": "A test whose observations all accept wrong results.";
    NO_CASES = 513 Error "no-cases": "A property that runs no cases.";
    ACROSS_WITHOUT_INPUTS = 514 Error "across-without-inputs": "An `across` that binds no input.";
    PROPERTY_RESULT = 515 Error "property-result": "A property that returns a value instead of observing it.";
    BAD_SPEC = 516 Error "bad-spec": "An invalid part of a trace specification.";
    IMPOSSIBLE_EVENT = 517 Warning "impossible-event": "An operation or goal of a specification that can never occur or is never used.";
    BAD_AGAINST_TEST = 518 Error "bad-against-test": "A test that does not fit the specification it is against.";
    VERIFY_MISMATCH = 520 Error "verify-mismatch": "A `=>` whose two sides differ.";
    VERIFY_HOSTILE_MISMATCH = 521 Error "verify-hostile-mismatch": "A law that does not hold in a hostile case.";
    VERIFY_RUNTIME_ERROR = 522 Error "verify-runtime-error": "A case of a verify block that fails before the comparison.";
    VERIFY_UNEXPECTED_ERR = 523 Error "verify-unexpected-err": "A `?` on the left of a `=>` that returns an error.";
    VERIFY_DECLINED = 524 Error "verify-declined": "A case of a verify block that exceeds a limit.";
    VERIFY_VACUOUS = 525 Error "verify-vacuous": "A verify block that compares nothing.";
    VERIFY_TOO_MANY_CASES = 526 Error "verify-too-many-cases": "A verify block with too many cases.";
    BAD_SYSTEM = 527 Error "bad-system": "An operation that no system can answer.";
    CONTRACT_VIOLATED_BY_CALLER = 601 Error "contract-violated-by-caller": "A call that violates an `in` clause.";
    CONTRACT_VIOLATED = 602 Error "contract-violated": "A result that violates an `out` clause.";
    OUTSIDE_REFINEMENT = 603 Error "outside-refinement": "A value outside its refinement type.";
    DIVISION_BY_ZERO = 604 Error "division-by-zero": "A division by zero.";
    OUT_OF_RANGE = 605 Error "out-of-range": "An index, count or conversion out of range.";
    FAILED = 606 Error "failed": "A program that called `fail`.";
    STEP_LIMIT = 607 Error "step-limit": "A run that exceeded the step limit.";
    DEPTH_LIMIT = 608 Error "depth-limit": "A run that exceeded the call depth limit.";
    MEMORY_LIMIT = 609 Error "memory-limit": "A run that exceeded the memory limit.";
    UNANSWERED_EFFECT = 610 Error "unanswered-effect": "An effect that nothing answers.";
    HOST_FAILED = 611 Error "host-failed": "An effect that failed in the real world.";
    CANNOT_RUN_YET = 612 Error "cannot-run-yet": "A construct that this version checks but cannot run.";
    OBSERVE_FAILED = 613 Error "observe-failed": "An `observe` that does not hold.";
    INTERRUPTED = 614 Error "interrupted": "A run that was interrupted.";
    ASSUMPTION_FAILED = 615 Error "assumption-failed": "An `assume` that does not hold outside generated cases.";
    SPEC_VIOLATED = 616 Error "spec-violated": "A system that violates its trace specification.";
    SYSTEM_ERROR = 617 Error "system-error": "An operation of a system that failed.";
    SYSTEM_CRASHED = 618 Error "system-crashed": "A system that ended during an operation.";
    ADAPTER_FAILED = 619 Error "adapter-failed": "A system that could not be asked.";
    MUTANT_SURVIVED = 701 Warning "mutant-survived": "A mutant that survives every claim.";
    MUTANT_UNREACHED = 702 Warning "mutant-unreached": "A mutant that no claim covers.";
    NO_DIFFERENCE_FOUND = 703 Note "no-difference-found": "A mutant for which no distinguishing input was found.";
}
