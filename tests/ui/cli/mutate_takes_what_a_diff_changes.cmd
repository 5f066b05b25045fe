# Only mutants in lines that a diff adds or changes are run.
gainsay mutate --in-diff change.diff --list
gainsay mutate --in-diff change.diff
gainsay mutate --in-diff - < change.diff
gainsay mutate --in-diff elsewhere.diff
gainsay mutate --in-diff fee.say
gainsay mutate --in-diff nowhere.diff
//- fee.say
fn fee(cents: Int) -> Int { cents / 100 + 5 }

fn total(cents: Int) -> Int { cents + fee(cents) }

test "a total" {
  observe total(200) == 207
}
//- change.diff
diff --git a/fee.say b/fee.say
--- a/fee.say
+++ b/fee.say
@@ -3 +3 @@
-fn total(cents: Int) -> Int { cents }
+fn total(cents: Int) -> Int { cents + fee(cents) }
//- elsewhere.diff
--- a/price.say
+++ b/price.say
@@ -3 +3 @@
-fn total(cents: Int) -> Int { cents }
+fn total(cents: Int) -> Int { cents + fee(cents) }
