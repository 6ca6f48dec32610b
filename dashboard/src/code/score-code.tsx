import { toCurl } from "tapewire";
import { tab } from "../core/session.ts";
import { pythonOf, type Snippet, typeScriptOf, Ways } from "./ways.tsx";

interface Request {
  readonly artifact: { readonly type: string; readonly title: string; readonly body: string };
  readonly options: { readonly model?: string };
}

/** Where nothing is written yet, so that the code can be run at once. */
const example = {
  title: "Acme raises its guidance",
  body: "Acme now expects revenue of $4.2 billion, not $3.8 billion.",
};

/** The call that scores a text, in every way that the libraries have. */
export default function ScoreCode({ artifact, options }: Request) {
  const { type, title, body } = artifact;
  const text = { type, title: title || example.title, body: body || example.body };
  return <Ways snippets={snippetsOf({ artifact: text, options }, tab.value?.base_url ?? location.origin)} />;
}

function snippetsOf(request: Request, baseUrl: string): readonly [Snippet, ...Snippet[]] {
  const { model } = request.options;
  // Its members are strings, which JSON, JavaScript and Python write alike.
  const text = JSON.stringify(request.artifact, null, 2);
  const typeScript = `const verdict = await tw.score(${text}, { ${model ? `model: "${model}", ` : ""}detailed: true });
console.log(verdict.actionability.score, verdict.sentiment?.short_direction);`;
  const python = `verdict = tw.score(${text}, ${model ? `model="${model}", ` : ""}detailed=True)
print(verdict["actionability"]["score"], verdict["sentiment"]["short_direction"])`;
  return [
    { name: "curl", text: toCurl({ baseUrl, path: "/v1/score", body: request }) },
    { name: "TypeScript", text: typeScriptOf(baseUrl, typeScript) },
    { name: "Python", text: pythonOf(baseUrl, python) },
  ];
}
