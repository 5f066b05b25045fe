//! Real effects: streams, files, the environment, the clock, the terminal.

use crate::CommandFolder;
use crate::run::main_of;

fn place(body: &str) -> CommandFolder {
    CommandFolder::with("a.say", &main_of(body))
}

#[test]
fn lines_are_read_until_the_input_ends() {
    let place = CommandFolder::with(
        "a.say",
        "fn echo(n: Int) -> Int ! [Console.read_line, Console.print] {\n  \
         match Console.read_line() {\n    \
         Some(line) => {\n      Console.print(show(line))\n      echo(n + 1)\n    }\n    \
         None => n\n  }\n}\n\n\
         fn main() ! [Console] {\n  Console.warn(show(echo(0)))\n}\n",
    );
    place
        .gainsay_fed(&["run", "a.say"], "one\r\n\nzwölf".as_bytes())
        .exits(0)
        .prints("\"one\"\n\"\"\n\"zwölf\"\n")
        .says("3\n");
    place.gainsay_fed(&["run", "a.say"], b"\xff\n").exits(1).says("not valid UTF-8");
    place.gainsay(&["run", "a.say"]).exits(0).prints("").says("0\n");
}

#[test]
fn the_error_stream_is_apart() {
    place("  Console.print(\"out\")\n  Console.error(\"bad\")\n  Console.warn(\"odd\")")
        .gainsay(&["run", "a.say"])
        .exits(0)
        .prints("out\n")
        .says("bad\nodd\n");
}

#[test]
fn variables_are_read_and_set() {
    let place = place(
        "  Console.print(show(Env.get(\"GAINSAY_PROBE\")))\n  \
         Env.set(\"GAINSAY_PROBE\", \"new\")\n  \
         Console.print(show(Env.get(\"GAINSAY_PROBE\")))\n  \
         Console.print(show(Env.get(\"GAINSAY_NEVER_SET\")))",
    );
    let mut command = place.command(&["run", "a.say"]);
    command.env("GAINSAY_PROBE", "old");
    let done: crate::CommandOutput = command.output().unwrap().into();
    done.exits(0).prints("Some(\"old\")\nSome(\"new\")\nNone\n");
}

#[test]
fn files_are_written_listed_and_deleted() {
    let body = [
        "Disk.make_dir(\"d/e\")",
        "Disk.write_text(\"d/b\", \"one\")",
        "Disk.append_text(\"d/b\", \" two\")",
        "Disk.append_text(\"d/a\", \"\")",
        "Disk.read_text(\"d/b\")",
        "Disk.list_dir(\"d\")",
        "Disk.exists(\"d/b\")",
        "Disk.delete(\"d/b\")",
        "Disk.exists(\"d/b\")",
        "Disk.read_text(\"d/b\")",
        "Disk.read_text(\"d\")",
        "Disk.delete(\"d/b\")",
        "Disk.delete_dir(\"d\")",
        "Disk.exists(\"d\")",
        "Disk.list_dir(\"d\")",
        "Disk.write_text(\"no/such\", \"\")",
    ];
    let lines: Vec<String> =
        body.iter().map(|it| format!("  Console.print(show({it}))")).collect();
    let missing = "Err(\"no such file or folder\")\n";
    let expected = [
        "Ok(())\nOk(())\nOk(())\nOk(())\nOk(\"one two\")\nOk([\"a\", \"b\", \"e\"])\ntrue\n",
        "Ok(())\nfalse\n",
        missing,
        "Err(\"is a folder\")\n",
        missing,
        "Ok(())\nfalse\n",
        missing,
        missing,
    ];
    let place = place(&lines.join("\n"));
    place.gainsay(&["run", "a.say"]).exits(0).prints(&expected.concat());
}

#[test]
fn reading_more_than_may_be_held_is_refused() {
    let place = place("  Console.print(show(Disk.read_text(\"big\").is_err()))");
    place.write("big", vec![b'x'; 2 << 20]);
    place.gainsay(&["run", "--memory", "1M", "a.say"]).exits(0).prints("true\n");
    place.gainsay(&["run", "a.say"]).exits(0).prints("false\n");
}

#[test]
fn the_clock_goes_on() {
    let body = "  let start = Time.unix_ms()\n  Time.sleep(30)\n  Time.sleep(-5)\n  \
                let waited = Time.unix_ms() - start\n  \
                Console.print(show(waited >= 30 && waited < 10_000))\n  \
                Console.print(show(Time.now().len()))";
    place(body).gainsay(&["run", "a.say"]).exits(0).prints("true\n24\n");
}

#[test]
fn the_terminal_is_put_back() {
    let body = "  Terminal.clear()\n  Terminal.hide_cursor()\n  Terminal.set_color(\"red\")\n  \
                Terminal.move_to(2, 1)\n  Terminal.print(\"x\")\n  Terminal.flush()\n  \
                Terminal.enable_raw_mode()";
    let done = place(body).gainsay(&["run", "a.say"]).exits(0);
    assert!(done.stdout.contains("\u{1b}[2;3Hx"), "{done:?}");
    assert!(done.stdout.ends_with("\u{1b}[0m\u{1b}[?25h"), "{done:?}");
    let fault = place(&format!("{body}\n  fail(\"why\")")).gainsay(&["run", "a.say"]).exits(1);
    assert!(fault.stdout.ends_with("\u{1b}[0m\u{1b}[?25h"), "{fault:?}");
    place("  Terminal.set_color(\"rde\")")
        .gainsay(&["run", "a.say"])
        .exits(1)
        .says("unknown color `rde`");
}

#[test]
fn keys_come_from_a_pipe_too() {
    let body = "  Console.print(show(Terminal.read_key()))\n  \
                Console.print(show(Terminal.read_key()))\n  \
                Console.print(show(Terminal.read_key()))\n  \
                Console.print(show(Terminal.size().0 > 0))";
    place(body)
        .gainsay_fed(&["run", "a.say"], "ü\n".as_bytes())
        .exits(0)
        .prints("Some(\"ü\")\nSome(\"enter\")\nNone\ntrue\n");
}
