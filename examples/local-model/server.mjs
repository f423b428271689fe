/**
 * A small model on this machine behind OpenAI's Chat Completions, for `counterfoil eval --model openai:NAME --base-url …`.
 *
 *     npm install node-llama-cpp
 *     node server.mjs MODEL.gguf [PORT]
 *
 * It takes what the model step sends: `messages`, `temperature`, `max_tokens` and a JSON Schema, by which the answer is
 * held to its form. One request is answered at a time.
 */

import { createServer } from "node:http";
import { getLlama, LlamaChatSession } from "node-llama-cpp";

const [path, port = "8080"] = process.argv.slice(2);
if (!path) {
  console.error("usage: node server.mjs MODEL.gguf [PORT]");
  process.exit(2);
}

const llama = await getLlama({ gpu: false, build: "never", logLevel: "error" });
const model = await llama.loadModel({ modelPath: path });
const context = await model.createContext({ contextSize: 4096, threads: Number(process.env.THREADS ?? 1) });
const sequence = context.getSequence();
const grammars = new Map();

/** The grammar of a schema, made once. */
async function grammar(schema) {
  const key = JSON.stringify(schema);
  if (!grammars.has(key)) grammars.set(key, await llama.createGrammarForJsonSchema(schema));
  return grammars.get(key);
}

async function complete({ messages, temperature = 0, max_tokens = 512, response_format }, signal) {
  const system = messages.find(({ role }) => role === "system")?.content ?? "";
  const prompt = messages.filter(({ role }) => role === "user").map(({ content }) => content).join("\n\n");
  await sequence.clearHistory();
  const session = new LlamaChatSession({ contextSequence: sequence, systemPrompt: system });
  const schema = response_format?.json_schema?.schema;
  const options = { temperature, maxTokens: max_tokens, signal, ...(schema && { grammar: await grammar(schema) }) };
  try {
    return await session.prompt(prompt, options);
  } finally {
    session.dispose({ disposeSequence: false });
  }
}

let last = Promise.resolve();
const server = createServer(async (request, response) => {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const turn = last.then(() => complete(JSON.parse(Buffer.concat(pieces).toString()), gone.signal));
  last = turn.catch(() => {});
  const [status, body] = await turn.then(
    (content) => [200, { object: "chat.completion", choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }] }],
    (failure) => [500, { error: { message: String(failure) } }],
  );
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify({ id: "local", created: 0, model: path, ...body }));
});
server.listen(Number(port), "127.0.0.1", () => console.log(`answers at http://127.0.0.1:${server.address().port}/v1`));
