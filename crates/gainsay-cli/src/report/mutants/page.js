"use strict";

// The viewer chooses a grammar by the ending of a file, and `plain` for endings that it does not
// know: so `plain` is Gainsay here.
Prism.languages.plain = {
  "comment": { pattern: /\/\/.*|^#!.*/, greedy: true },
  "string": { pattern: /"(?:\\.|[^"\\\r\n])*"/, greedy: true },
  "char": { pattern: /'(?:\\u\{[\da-fA-F]*\}|\\.|[^'\\\r\n])'/u, greedy: true },
  "attribute": { pattern: /@\w+/, alias: "attr-name" },
  "definition": { pattern: /(\b(?:fn|rel|law)\s+)\w+/, lookbehind: true, alias: "function" },
  "keyword": [
    { pattern: /(\bverify[ \t]+[\w.]+[ \t]+)(?:law|trace|against)\b/, lookbehind: true },
    /(?<!\.)\b(?:across|assume|const|effect|else|fn|if|let|match|observe|par|rel|test|throws|type|under|use|verify)\b/,
    // Words that are keywords in their places only.
    /^[ \t]*(?:given|when|world|spec)\b(?=[ \t]+\w)/m,
    /\b(?:in|out)\b(?=[ \t]*(?:\(\w+\)[ \t]*)?\{)/,
    /\bwhere\b(?=[ \t]+[\w(!])/,
  ],
  "boolean": /(?<!\.)\b(?:false|true)\b/,
  "number": /\b(?:0x[\da-fA-F_]+|0b[01_]+|0o[0-7_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)\b/,
  "class-name": /\b_*\p{Lu}\w*/u,
  "operator": /=>|->|<-|\.\.|\+\+|&&|\|\||[=!<>]=|[-+*/%!=<>|?]/,
  "punctuation": /[{}[\]();,.:]/,
};

const app = document.querySelector("mutation-test-report-app");
const followTheme = () => { document.body.style.backgroundColor = app.themeBackgroundColor; };
app.addEventListener("theme-changed", followTheme);
app.report = JSON.parse(document.getElementById("report").textContent);
followTheme();
