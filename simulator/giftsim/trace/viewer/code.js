/* Steps as code of several kinds: of a trace, and of a page of the console. */

export const KINDS = ["curl", "requests", "fetch", "pytest", "Vitest", "scenario"];

const CONTROL = "/_sim/v1/worlds";
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
const variable = (credential) => credential.toUpperCase().replace(/\W/g, "_");

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
  const type = Object.entries(request.headers).find(([name]) => name.toLowerCase() === "idempotency-key");
  const { method, path, body } = request;
  return { credential, method, path, body, headers: type ? { [type[0]]: type[1] } : {}, status: entry.call.response?.status ?? "lost" };
}

export function codeOf(kind, steps, model) {
  const lines = steps.length ? WRITERS[kind](steps, model) : ["this entry is not a step: choose “all up to here”"];
  return `${lines.join("\n")}\n`;
}

const WRITERS = {
  curl: (steps) => [
    "# GIFTSIM is the simulator's address, WORLD the world's id; the keys are those of the world (giftsim keys)",
    ...steps.map(({ method, path, body, credential, control, advance, headers = {} }) => {
      const url = control || advance ? `"$GIFTSIM${CONTROL}/$WORLD${path}"` : `"$GIFTSIM${path}"`;
      const key = credential ? ` -H "Authorization: Bearer $${variable(credential)}"` : "";
      const own = Object.entries(headers).map(([name, value]) => ` -H ${quoted(`${name}: ${value}`)}`).join("");
      return `curl -X ${method} ${url}${key}${own}${body ? ` -H 'Content-Type: application/json' -d ${quoted(body)}` : ""}`;
    }),
  ],
  requests: (steps) => [
    "import os", "", "import requests", "", 'sim, world = os.environ["GIFTSIM"], os.environ["WORLD"]',
    ...steps.map((step) => `requests.request(${pythonArguments(step, (path, own) => (own ? `f"{sim}${CONTROL}/{world}${path}"` : `f"{sim}${path}"`))})`),
  ],
  fetch: (steps) => [
    "const { GIFTSIM, WORLD } = process.env",
    ...steps.map(({ method, path, body, credential, control, advance, headers = {} }) => {
      const url = control || advance ? `\`\${GIFTSIM}${CONTROL}/\${WORLD}${path}\`` : `\`\${GIFTSIM}${path}\``;
      const sent = [
        ...(credential ? [`authorization: \`Bearer \${process.env.${variable(credential)}}\``] : []),
        ...Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
        ...(body ? ["'content-type': 'application/json'"] : []),
      ];
      return `await fetch(${url}, { method: '${method}', headers: { ${sent.join(", ")} }${body ? `, body: ${JSON.stringify(body)}` : ""} })`;
    }),
  ],
  pytest: (steps, model) => [
    ...marker(model), "def test_reproduces(giftsim):",
    ...steps.flatMap((step) => pytestLines(step).map((line) => `    ${line}`)),
  ],
  Vitest: (steps) => [
    "import { expect } from 'vitest'", "import { test } from 'giftsim/vitest'", "", "test('reproduces', async ({ world }) => {",
    ...steps.map((step) => `  ${vitestCall(step)}`), "})",
  ],
  scenario: (steps, model) => [
    "scenario: From a trace", `seed: ${model.data.world.seed}`, `now: '${model.data.world.began}'`, `fixture: ${model.data.world.fixture}`, "steps:",
    ...steps.flatMap((step) => scenarioStep(step)),
  ],
};

function marker(model) {
  const { fixture } = model.data.world;
  return ["import pytest", "from giftsim.testing import ControlRefused", "", "", `@pytest.mark.giftsim(fixture=${JSON.stringify(fixture)}, seed=${model.data.world.seed}, now="${model.data.world.began}")`];
}

function pythonArguments({ method, path, body, credential, control, advance, headers = {} }, url) {
  const sent = [
    ...(credential ? [`"Authorization": f"Bearer {os.environ['${variable(credential)}']}"`] : []),
    ...Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const json = body ? `, json=${python(parsed(body))}` : "";
  return `"${method}", ${url(path, control || advance)}${sent.length ? `, headers={${sent.join(", ")}}` : ""}${json}`;
}

function pytestLines(step) {
  const call = pytestCall(step);
  if (step.status === "lost") return ["with pytest.raises(ConnectionError):", `    ${call}`];
  if (step.refused) return ["with pytest.raises(ControlRefused):", `    ${call}`];
  return [step.status ? `assert ${call}.status == ${step.status}` : call];
}

function pytestCall({ method, path, body, credential, control, advance, headers = {} }) {
  if (advance) return `giftsim.advance(to="${advance}")`;
  if (control) return `giftsim.control("${method}", ${JSON.stringify(path)}${body ? `, ${python(parsed(body))}` : ""})`;
  const own = Object.keys(headers).length ? `, headers=${python(headers)}` : "";
  return `giftsim.call("${method}", ${JSON.stringify(path)}${body ? `, ${python(parsed(body))}` : ""}${credential ? `, credential="${credential}"` : ""}${own})`;
}

function vitestCall({ method, path, body, credential, control, refused, advance, headers = {}, status }) {
  if (advance) return `await world.advance({ to: '${advance}' })`;
  if (control) {
    const call = `world.control('${method}', ${JSON.stringify(path)}${body ? `, ${body}` : ""})`;
    return refused ? `await expect(${call}).rejects.toThrow()` : `await ${call}`;
  }
  const options = [
    ...(credential ? [`credential: '${credential}'`] : []), ...(body ? [`body: ${body}`] : []),
    ...(Object.keys(headers).length ? [`headers: ${JSON.stringify(headers)}`] : []),
  ];
  const call = `world.call('${method}', ${JSON.stringify(path)}, { ${options.join(", ")} })`;
  return status === "lost" ? `await expect(${call}).rejects.toThrow()` : `expect((await ${call}).status).toBe(${status})`;
}

function scenarioStep({ method, path, body, credential, control, refused, advance, headers = {}, status = refused }) {
  if (advance) return [`  - advance: {to: '${advance}'}`];
  const lines = [`  - ${control ? "control" : "call"}: ${method} ${path}`];
  if (!control && credential) lines.push(`    as: ${credential}`);
  if (Object.keys(headers).length) lines.push(`    headers: ${JSON.stringify(headers)}`);
  if (body) lines.push(`    body: ${body}`);
  if (status) lines.push(`    expect: ${status === "lost" ? "{connection: lost}" : `{status: ${status}}`}`);
  return lines;
}

/* A JSON value as Python writes it. */
function python(value) {
  if (value === null || value === undefined) return "None";
  if (value === true || value === false) return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value === "object") return `{${Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${python(each)}`).join(", ")}}`;
  return JSON.stringify(value);
}
