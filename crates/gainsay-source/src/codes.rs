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
    UNKNOWN_CHARACTER = 101 Error "unknown-character": "A character that starts no token.";
    UNCLOSED_STRING = 102 Error "unclosed-string": "A string or character that meets the end of its line.";
    BAD_ESCAPE = 103 Error "bad-escape": "An escape sequence that stands for no character.";
    BAD_NUMBER = 104 Error "bad-number": "A number that is not written as one.";
    BAD_CHARACTER = 105 Error "bad-character": "A character literal that does not hold exactly one character.";
    UNEXPECTED_TOKEN = 110 Error "unexpected-token": "Something else was expected here.";
    UNCLOSED_BRACKET = 111 Error "unclosed-bracket": "A bracket that is never closed.";
    TOO_DEEP = 112 Error "too-deep": "Code nested deeper than Gainsay reads.";
    CHAINED_COMPARISON = 113 Error "chained-comparison": "A comparison of a comparison.";
    MISPLACED_DOC = 114 Warning "misplaced-doc": "A doc comment that documents nothing.";
    FOREIGN_SYNTAX = 115 Error "foreign-syntax": "Syntax of another language.";
    LITERAL_INTERPOLATION = 116 Warning "literal-interpolation": "A string that names a variable as if it were interpolated.";
    UNKNOWN_NAME = 201 Error "unknown-name": "A value name that nothing in scope has.";
    UNKNOWN_TYPE = 202 Error "unknown-type": "A type name that nothing in scope has.";
    DUPLICATE_DEFINITION = 203 Error "duplicate-definition": "A name that is declared twice in one module.";
    UNKNOWN_MODULE = 204 Error "unknown-module": "A `use` of a module that is not there.";
    CYCLIC_USE = 205 Error "cyclic-use": "Modules that use each other in a circle.";
    UNKNOWN_MEMBER = 206 Error "unknown-member": "A module, type or effect without such a member.";
    UNKNOWN_CONSTRUCTOR = 207 Error "unknown-constructor": "A constructor name that nothing in scope has.";
    UNKNOWN_FIELD = 208 Error "unknown-field": "A field that the record or constructor does not have.";
    UNKNOWN_EFFECT = 209 Error "unknown-effect": "An effect or operation that is not declared.";
    AMBIGUOUS_NAME = 210 Error "ambiguous-name": "A name that two imports bring in.";
    UNKNOWN_ATTRIBUTE = 211 Error "unknown-attribute": "An annotation that means nothing where it stands.";
    BAD_ATTRIBUTE = 212 Error "bad-attribute": "An annotation whose arguments it does not understand.";
    WRONG_CASE = 213 Error "wrong-case": "A name whose first letter says it is something else.";
    UNUSED_VARIABLE = 214 Warning "unused-variable": "A name that is bound and never used.";
    TYPE_MISMATCH = 301 Error "type-mismatch": "A value of another type than its place wants.";
    WRONG_ARGUMENT_COUNT = 302 Error "wrong-argument-count": "A call with more or fewer arguments than parameters.";
    NOT_A_FUNCTION = 303 Error "not-a-function": "A call of something that is not a function.";
    WRONG_TYPE_ARGUMENT_COUNT = 304 Error "wrong-type-argument-count": "Too many or too few type arguments.";
    CANNOT_INFER = 305 Error "cannot-infer": "A type that nothing in the function determines.";
    NO_SUCH_METHOD = 306 Error "no-such-method": "A method that the type of the receiver does not have.";
    NOT_A_RECORD = 307 Error "not-a-record": "A field access or update of something without such fields.";
    MISSING_FIELD = 308 Error "missing-field": "A record or constructor that lacks fields.";
    DUPLICATE_FIELD = 309 Error "duplicate-field": "A field that is given or declared twice.";
    NON_EXHAUSTIVE_MATCH = 310 Error "non-exhaustive-match": "A match that leaves values out.";
    UNREACHABLE_ARM = 311 Warning "unreachable-arm": "A pattern that earlier ones leave nothing to match.";
    REFUTABLE_PATTERN = 312 Error "refutable-pattern": "A `let` or parameter whose pattern does not always match.";
    ENDLESS_TYPE = 313 Error "endless-type": "A recursive type no value of which is finite.";
    CYCLIC_ALIAS = 314 Error "cyclic-alias": "A type alias that stands for itself.";
    SELF_CONTAINING_TYPE = 315 Error "self-containing-type": "An inferred type that would contain itself.";
    UNUSED_VALUE = 316 Warning "unused-value": "A value that is computed and dropped.";
    BAD_TRY = 317 Error "bad-try": "A `?` where it cannot leave the function.";
    NOT_COMPARABLE = 318 Error "not-comparable": "Functions where values must be compared or printed.";
    FLOAT_EQUALITY = 319 Warning "float-equality": "`==` on floats.";
    OR_PATTERN_BINDINGS = 320 Error "or-pattern-bindings": "Alternatives of a pattern that bind different names.";
    DUPLICATE_BINDING = 321 Error "duplicate-binding": "A pattern or parameter list that binds a name twice.";
    MISSING_BODY = 322 Error "missing-body": "A function without a body.";
    CYCLIC_CONSTANT = 323 Error "cyclic-constant": "A constant whose value needs itself.";
    NAMED_ARGUMENT = 324 Error "named-argument": "A named argument where only positions count.";
    BAD_MAIN = 325 Error "bad-main": "A `main` that cannot be run.";
    MISPLACED_FORM = 326 Error "misplaced-form": "A form of the language where it has no meaning.";
    HUGE_NUMBER = 327 Error "huge-number": "A number with more digits than Gainsay reads.";
    UNDECLARED_EFFECT = 401 Error "undeclared-effect": "A call performs an effect its function does not declare.";
    EFFECT_IN_PURE_PLACE = 402 Error "effect-in-pure-place": "An effect where only pure code may stand.";
    TOO_EFFECTFUL = 403 Error "too-effectful": "An effectful function where a purer one is wanted.";
    EFFECT_WITHOUT_WORLD = 404 Error "effect-without-world": "A claim that reaches an effect nobody answers.";
    PLACEBO_TEST = 501 Warning "placebo-test": "A test that observes nothing.";
    BAD_VERIFY = 502 Error "bad-verify": "A verify block that is not put together right.";
    OUTPUT_STUB = 503 Error "output-stub": "A stub for an effect that has no answer.";
    UNNEEDED_STUB = 504 Warning "unneeded-stub": "A stub for an effect the function cannot reach.";
    BAD_EVENT_PATTERN = 505 Error "bad-event-pattern": "Something else than an event where an event pattern is wanted.";
    BAD_RULE = 506 Error "bad-rule": "A rule of a relation that is not put together right.";
    LONELY_VARIABLE = 507 Warning "lonely-variable": "A variable that occurs once in a rule.";
    RESERVED_FORM = 508 Warning "reserved-form": "A form that this version reads over.";
    NO_GENERATOR = 509 Error "no-generator": "An input that nothing can be drawn for.";
    CONSTANT_OBSERVE = 510 Warning "constant-observe": "An observation that comes out the same whatever the code does.";
    DEAD_OBSERVE = 511 Warning "dead-observe": "An observation that is never made.";
    LOOSE_TEST = 512 Warning "loose-test": "A test whose observations all leave room for wrong answers.";
    NO_CASES = 513 Error "no-cases": "A property that asks for no cases.";
    ACROSS_WITHOUT_INPUTS = 514 Error "across-without-inputs": "An `across` that binds no input.";
    PROPERTY_RESULT = 515 Error "property-result": "A property that returns a value instead of observing it.";
    VERIFY_MISMATCH = 520 Error "verify-mismatch": "Two sides of a `=>` that are not the same.";
    VERIFY_HOSTILE_MISMATCH = 521 Error "verify-hostile-mismatch": "A law that does not hold in a hostile case.";
    VERIFY_RUNTIME_ERROR = 522 Error "verify-runtime-error": "A case of a verify block that fails before it can be compared.";
    VERIFY_UNEXPECTED_ERR = 523 Error "verify-unexpected-err": "A `?` on the left of a `=>` that meets an error.";
    VERIFY_DECLINED = 524 Error "verify-declined": "A case of a verify block that takes more than it may.";
    VERIFY_VACUOUS = 525 Error "verify-vacuous": "A verify block none of whose cases counts.";
    VERIFY_TOO_MANY_CASES = 526 Error "verify-too-many-cases": "A verify block with more cases than are run.";
    CONTRACT_VIOLATED_BY_CALLER = 601 Error "contract-violated-by-caller": "A call that an `in` clause forbids.";
    CONTRACT_VIOLATED = 602 Error "contract-violated": "A result that an `out` clause forbids.";
    OUTSIDE_REFINEMENT = 603 Error "outside-refinement": "A value outside its refinement type.";
    DIVISION_BY_ZERO = 604 Error "division-by-zero": "A division by zero.";
    OUT_OF_RANGE = 605 Error "out-of-range": "An index, count or conversion out of range.";
    FAILED = 606 Error "failed": "A program that called `fail`.";
    STEP_LIMIT = 607 Error "step-limit": "A run that took more steps than it may.";
    DEPTH_LIMIT = 608 Error "depth-limit": "More calls inside each other than fit.";
    MEMORY_LIMIT = 609 Error "memory-limit": "A run that took more memory than it may.";
    UNANSWERED_EFFECT = 610 Error "unanswered-effect": "An effect that nothing answers.";
    HOST_FAILED = 611 Error "host-failed": "An effect that the outside world refused.";
    CANNOT_RUN_YET = 612 Error "cannot-run-yet": "A form that this version checks but does not run.";
    OBSERVE_FAILED = 613 Error "observe-failed": "An `observe` that does not hold.";
    INTERRUPTED = 614 Error "interrupted": "A run that was stopped from outside.";
    ASSUMPTION_FAILED = 615 Error "assumption-failed": "An `assume` that does not hold where no other case can be tried.";
    MUTANT_SURVIVED = 701 Warning "mutant-survived": "A mutant that no claim notices.";
    MUTANT_UNREACHED = 702 Warning "mutant-unreached": "A mutant that no claim evaluates.";
    NO_DIFFERENCE_FOUND = 703 Note "no-difference-found": "A mutant for which no input was found that tells it from the program.";
}
