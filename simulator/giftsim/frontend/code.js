/* Steps as code of several kinds: of a trace, and of a page of the console. */
import { dataOf, hasDots, javascript, printfFormat, python, sentPath, shell, yaml } from "./literals.js";

const CONTROL = "/_sim/v1/worlds";
const JSON_TYPE = "application/json";
const variable = (credential) => credential.toUpperCase().replace(/\W/gu, "_").replace(/^(?=\d|$)/, "KEY_");

/* The steps that somebody outside made: calls, acts of people, faults, settings, advances. */
export function stepsUpTo(model, n, onlyThis) {
  const steps = [];
  for (const entry of onlyThis ? [model.entry(n)] : model.entries.slice(0, n)) {
    const step = stepOf(entry);
    if (step) steps.push({ n: entry.n, ...step });
  }
  return steps;
}

function stepOf(entry) {
  if (entry.kind === "advance") return { advance: entry.advance.to, method: "POST", path: "/clock/advance", body: JSON.stringify({ to: entry.advance.to }) };
  if (entry.control) {
    const { method, path, body, status } = entry.control;
    return { control: true, refused: status, method, path, body };
  }
  if (entry.kind !== "call") return null;
  const { request, credential } = entry.call;
  const { method, path, body } = request;
  return { credential, method, path, body, headers: request.headers, status: entry.call.response?.status ?? "lost" };
}

/* What the writers need of a step: its path as it is sent, its body as data or as text, and the headers that matter. */
function prepared(step) {
  const sent = Object.fromEntries(Object.entries(step.headers ?? {}).map(([name, value]) => [name.toLowerCase(), [name, String(value)]]));
  const body = step.body ? String(step.body) : "";
  const data = body ? dataOf(body) : undefined;
  const type = sent["content-type"]?.[1] ?? JSON_TYPE;
  return {
    ...step, body, data, type,
    method: String(step.method),
    path: sentPath(String(step.path)),
    credential: step.credential ? String(step.credential) : "",
    own: sent["idempotency-key"] ? [sent["idempotency-key"]] : [],
    typed: data === undefined && body ? [["Content-Type", type]] : [],
    inWorld: Boolean(step.control || step.advance),
  };
}

export function codeOf(kind, steps, model) {
  const lines = steps.length ? WRITERS[kind](steps.map(prepared), model) : ["this entry is not a step: choose “all up to here”"];
  return `${lines.join("\n")}\n`;
}

const WRITERS = {
  curl: (steps) => [
    "# GIFTSIM is the simulator's address, WORLD the world's id; the keys are those of the world (giftsim keys)",
    ...steps.map(curlCommand),
  ],
  requests: (steps) => [
    "import os", "", "import requests", "", 'sim, world = os.environ["GIFTSIM"], os.environ["WORLD"]',
    ...steps.map((step) => `requests.request(${requestsArguments(step)})`),
  ],
  fetch: (steps) => ["const { GIFTSIM, WORLD } = process.env", ...steps.flatMap((step) => [...resolvedDots(step), fetchCall(step)])],
  pytest: (steps, model) => [
    ...marker(model.data.world), "def test_reproduces(giftsim):",
    ...steps.flatMap((step) => pytestLines(step).map((line) => `    ${line}`)),
  ],
  Vitest: (steps) => [
    "import { expect } from 'vitest'", "import { test } from 'giftsim/vitest'", "", "test('reproduces', async ({ world }) => {",
    ...steps.flatMap((step) => [...resolvedDots(step), vitestCall(step)].map((line) => `  ${line}`)), "})",
  ],
  scenario: (steps, { data: { world } }) => [
    "scenario: From a trace", `seed: ${yaml(world.seed)}`, `now: ${yaml(world.began)}`, `fixture: ${yaml(world.fixture)}`, "steps:",
    ...steps.flatMap(scenarioStep),
  ],
};

const resolvedDots = ({ path }) => (hasDots(path) ? ["// fetch resolves `.` and `..` in a path, so this call goes to another one"] : []);

function curlCommand({ method, path, body, type, credential, inWorld, own }) {
  const url = `"$GIFTSIM${inWorld ? `${CONTROL}/$WORLD` : ""}"${shell(path)}`;
  const options = [hasDots(path) ? " --path-as-is" : "", /[[\]{}]/.test(path) ? " --globoff" : ""].join("");
  const headers = [...own, ...(body ? [["Content-Type", type]] : [])];
  const lines = [
    `curl -s${options}${method === "GET" ? "" : ` -X ${shell(method)}`} ${url}`,
    ...(credential ? [`-H "Authorization: Bearer $${variable(credential)}"`] : []),
    ...headers.map(([name, value]) => `-H ${shell(value ? `${name}: ${value}` : `${name};`)}`),
  ];
  if (body.includes("\0")) return `printf -- ${printfFormat(body)} |\n  ${[...lines, "--data-binary @-"].join(" \\\n  ")}`;
  if (body) lines.push(`${body.startsWith("@") ? "--data-raw" : "-d"} ${shell(body)}`);
  return lines.join(" \\\n  ");
}

function requestsArguments({ method, path, body, data, typed, credential, inWorld, own }) {
  const sent = [
    ...(credential ? [`"Authorization": f"Bearer {os.environ['${variable(credential)}']}"`] : []),
    ...[...own, ...typed].map(([name, value]) => `${python(name)}: ${python(value)}`),
  ];
  const plain = hasDots(path) ? path.replace(/^[^?]*/, (target) => target.replace(/(?<=\/)\.\.?(?=\/|$)/g, (dots) => dots.replaceAll(".", "%2E"))) : path;
  const url = inWorld ? `f"{sim}${CONTROL}/{world}" + ${python(plain)}` : `sim + ${python(plain)}`;
  const content = data !== undefined ? `, json=${python(data)}` : body ? `, data=${python(body)}.encode()` : "";
  return `${python(method)}, ${url}${sent.length ? `, headers={${sent.join(", ")}}` : ""}${content}`;
}

function fetchCall({ method, path, body, type, credential, inWorld, own }) {
  const url = inWorld ? `\`\${GIFTSIM}${CONTROL}/\${WORLD}\` + ${javascript(path)}` : `GIFTSIM + ${javascript(path)}`;
  const sent = [
    ...(credential ? [`authorization: \`Bearer \${process.env.${variable(credential)}}\``] : []),
    ...own.map(([name, value]) => `${javascript(name)}: ${javascript(value)}`),
    ...(body ? [`'content-type': ${javascript(type)}`] : []),
  ];
  return `await fetch(${url}, { method: ${javascript(method)}, headers: { ${sent.join(", ")} }${body ? `, body: ${javascript(body)}` : ""} })`;
}

function marker({ fixture, seed, began }) {
  return ["import pytest", "from giftsim.testing import ControlRefused", "", "", `@pytest.mark.giftsim(fixture=${python(fixture)}, seed=${python(seed)}, now=${python(began)})`];
}

function pytestLines(step) {
  const call = pytestCall(step);
  if (step.status === "lost") return ["with pytest.raises(ConnectionError):", `    ${call}`];
  if (step.refused) return ["with pytest.raises(ControlRefused):", `    ${call}`];
  return [step.status ? `assert ${call}.status == ${python(step.status)}` : call];
}

function pytestCall({ method, path, body, data, typed, credential, control, advance, own }) {
  if (advance) return `giftsim.advance(to=${python(advance)})`;
  const sent = `${python(method)}, ${python(path)}${body ? `, ${python(data ?? body)}` : ""}`;
  if (control) return `giftsim.control(${sent})`;
  const headers = Object.fromEntries([...own, ...typed]);
  return `giftsim.call(${sent}${credential ? `, credential=${python(credential)}` : ""}${own.length + typed.length ? `, headers=${python(headers)}` : ""})`;
}

function vitestCall({ method, path, body, data, typed, credential, control, refused, advance, own, status }) {
  if (advance) return `await world.advance({ to: ${javascript(advance)} })`;
  const target = `${javascript(method)}, ${javascript(path)}`;
  if (control) {
    const call = `world.control(${target}${body ? `, ${javascript(data ?? body)}` : ""})`;
    return refused ? `await expect(${call}).rejects.toThrow()` : `await ${call}`;
  }
  const options = [
    ...(credential ? [`credential: ${javascript(credential)}`] : []),
    ...(own.length + typed.length ? [`headers: ${javascript(Object.fromEntries([...own, ...typed]))}`] : []),
    ...(body ? [`body: ${javascript(data ?? body)}`] : []),
  ];
  const call = `world.call(${target}, { ${options.join(", ")} })`;
  return status === "lost" ? `await expect(${call}).rejects.toThrow()` : `expect((await ${call}).status).toBe(${javascript(status)})`;
}

function scenarioStep({ method, path, body, data, typed, credential, control, refused, advance, own, status = refused }) {
  if (advance) return [`  - advance: {to: ${yaml(advance)}}`];
  const lines = [`  - ${control ? "control" : "call"}: ${yaml(`${method} ${path}`)}`];
  if (!control && credential) lines.push(`    as: ${yaml(credential)}`);
  if (own.length + typed.length && !control) lines.push(`    headers: ${yaml(Object.fromEntries([...own, ...typed]))}`);
  if (body) lines.push(`    body: ${yaml(data ?? body)}`);
  if (status) lines.push(`    expect: ${status === "lost" ? "{connection: lost}" : `{status: ${yaml(status)}}`}`);
  return lines;
}
