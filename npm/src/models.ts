/**
 * Ready-made callbacks for the model step: `verify(turn, { model: ollama("qwen3") })`.
 *
 * Each makes one request, without tools and without retries, and hands back the model's own text. What goes wrong is the
 * library's own error, which the check records as `failure`; `ready` and a call by hand show it.
 */

import { CounterfoilError } from "./error.js";
import { described } from "./input.js";
import type { ModelRequest } from "./types.js";

/** The most tokens that an answer may be long; one needs about 200. */
const MOST_TOKENS = 400;

/** A callback for the option `model`. */
export interface Callback {
  (request: ModelRequest, given?: { signal?: AbortSignal | undefined }): Promise<string | { refusal: string }>;
  /** Resolves where the provider's package and the key are there, and is rejected with what is missing. */
  ready(): Promise<void>;
}

/** What a provider's client needs. */
export interface ClientOptions<Client> {
  /** Your own client. A program that is bundled, and a page in a browser, give theirs. */
  client?: Client | null | undefined;
  /** Where the model is served, if not at the provider's own address. */
  baseURL?: string | null | undefined;
  /** The key; else the provider's own variable of the environment counts. */
  apiKey?: string | null | undefined;
}

/** A function of a provider's client, whatever its parameters are called there. */
type Create = (body: never, options?: never) => PromiseLike<unknown>;
type Call = (body: object, options: object) => PromiseLike<unknown>;

/** As much of a client of the package `openai` as is used. */
export interface OpenAIClient {
  chat: { completions: { create: Create } };
}

/** Asks a model behind OpenAI's Chat Completions, at OpenAI or at any endpoint that speaks the same. */
export function openai(name: string, options: ClientOptions<OpenAIClient> = {}): Callback {
  const make = async (): Promise<OpenAIClient> => {
    const { default: OpenAI } = await library("openai");
    const { baseURL } = options;
    // A server of one's own wants no key, but the library does.
    const apiKey = options.apiKey ?? (environment("OPENAI_API_KEY") || (baseURL == null ? undefined : "none"));
    return new OpenAI({ ...given({ baseURL, apiKey }), maxRetries: 0 });
  };
  return over(options.client, make, async ({ chat }, request, signal) => {
    const body = {
      model: name,
      messages: [
        { role: "system", content: request.system },
        { role: "user", content: request.prompt },
      ],
      temperature: request.temperature,
      max_tokens: MOST_TOKENS,
      response_format: {
        type: "json_schema",
        json_schema: { name: "verdict", schema: request.schema, strict: false },
      },
    };
    const create = chat.completions.create.bind(chat.completions) as unknown as Call;
    const made = (await create(body, { signal })) as {
      choices: { message: { content: string; refusal?: string | null } }[];
    };
    const message = made.choices[0]?.message;
    return message?.refusal ? { refusal: message.refusal } : (message?.content as string);
  });
}

/** As much of a client of the package `@anthropic-ai/sdk` as is used. */
export interface AnthropicClient {
  messages: { create: Create };
}

/** Asks a model behind Anthropic's Messages, which take no temperature any more. */
export function anthropic(name: string, options: ClientOptions<AnthropicClient> = {}): Callback {
  const make = async (): Promise<AnthropicClient> => {
    const { default: Anthropic } = await library("@anthropic-ai/sdk");
    const { baseURL, apiKey } = options;
    return new Anthropic({ ...given({ baseURL, apiKey }), maxRetries: 0 });
  };
  return over(options.client, make, async ({ messages }, request, signal) => {
    const body = {
      model: name,
      system: request.system,
      messages: [{ role: "user", content: request.prompt }],
      thinking: { type: "disabled" },
      max_tokens: MOST_TOKENS,
    };
    const create = messages.create.bind(messages) as unknown as Call;
    const made = (await create(body, { signal })) as {
      stop_reason: string | null;
      content: { type: string; text?: string }[];
    };
    if (made.stop_reason === "refusal") return { refusal: "the model declined" };
    return made.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  });
}

/** Asks a model that Ollama serves, by its own `/api/chat`; no package is needed. */
export function ollama(name: string, options: { baseURL?: string | null | undefined } = {}): Callback {
  const base = options.baseURL ?? "http://127.0.0.1:11434";
  if (!/^https?:\/\//.test(base)) {
    throw new CounterfoilError("option", "baseURL", "expected an address that begins with http:// or https://");
  }
  return over(base, nothing, async (base, request, signal) => {
    const body = {
      model: name,
      messages: [
        { role: "system", content: request.system },
        { role: "user", content: request.prompt },
      ],
      format: request.schema,
      think: request.thinking,
      stream: false,
      options: { temperature: request.temperature, num_predict: MOST_TOKENS },
    };
    const response = await fetch(`${base.replace(/\/+$/, "")}/api/chat`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      ...given({ signal }),
    });
    if (!response.ok) throw new Error(`Ollama answered ${response.status}: ${(await response.text()).slice(0, 400)}`);
    return ((await response.json()) as { message: { content: string } }).message.content;
  });
}

/** As much of the package `ai` as is used. */
export interface AiPackage {
  generateText: (settings: never) => PromiseLike<unknown>;
  Output: { object: (settings: never) => unknown };
  jsonSchema: (schema: never) => unknown;
}

/**
 * Asks a model of the AI SDK, as one of its providers makes it: `aiSdk(provider("NAME"))`. `ai` is your own import of the
 * package, for a program that is bundled.
 */
export function aiSdk(model: unknown, options: { ai?: AiPackage | null | undefined } = {}): Callback {
  if (model == null) throw new CounterfoilError("option", "model", `expected a model; found ${described(model)}`);
  const make = (): Promise<AiPackage> => library("ai");
  return over(options.ai, make, async (ai, request, signal) => {
    const schema = (ai.jsonSchema as (schema: unknown) => unknown)(request.schema);
    const output = (ai.Output.object as (settings: object) => unknown)({ schema });
    const settings = {
      model,
      system: request.system,
      prompt: request.prompt,
      temperature: request.temperature,
      maxOutputTokens: MOST_TOKENS,
      maxRetries: 0,
      output,
      experimental_output: output, // Its name in version 5.
      abortSignal: signal,
    };
    try {
      const generate = ai.generateText as (settings: object) => PromiseLike<unknown>;
      return generated((await generate(settings)) as Generated);
    } catch (failure) {
      // The package reads the answer with less patience than the core, and its error has the text.
      if (typeof (failure as Generated | null)?.text === "string") return generated(failure as Generated);
      throw failure;
    }
  });
}

/** What the AI SDK says of a text, in its result and in its error. */
interface Generated {
  text: string;
  finishReason?: string;
}

function generated({ text, finishReason }: Generated): string | { refusal: string } {
  return finishReason === "content-filter" ? { refusal: "the model declined" } : text;
}

const PROVIDERS: Readonly<Record<string, (name: string, options: { baseURL?: string | undefined }) => Callback>> = {
  openai,
  anthropic,
  ollama,
};

/** The callback that `PROVIDER:NAME` names, as the command line takes it. */
export function named(name: string, baseURL?: string): Callback {
  const [provider = "", ...rest] = name.split(":");
  const make = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined;
  const model = rest.join(":");
  if (make && model) return make(model, { baseURL });
  const known = Object.keys(PROVIDERS).map((provider) => `${provider}:NAME`);
  const found = `'${name}'`.slice(0, 80);
  throw new CounterfoilError("option", "model", `expected one of ${known.join(", ")}; found ${found}`);
}

/** A callback over a provider's client: the caller's own, or one that is made at the first request. */
function over<Client>(
  own: Client | null | undefined,
  make: () => Promise<Client>,
  work: (client: Client, request: ModelRequest, signal?: AbortSignal) => Promise<string | { refusal: string }>,
): Callback {
  let made: Promise<Client> | undefined;
  const client = (): Promise<Client> => {
    made ??= own == null ? make() : Promise.resolve(own);
    made.catch(() => {
      made = undefined; // What was missing may be there the next time.
    });
    return made;
  };
  const callback = async (request: ModelRequest, given?: { signal?: AbortSignal | undefined }) =>
    work(await client(), request, given?.signal);
  const ready = async (): Promise<void> => {
    await client();
  };
  return Object.assign(callback, { ready });
}

/** Never called: there is a client. */
function nothing(): never {
  throw new Error("there is no package to load");
}

/** Without what is null or undefined: libraries take either for a value of their own. */
function given(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value != null));
}

function environment(name: string): string | undefined {
  return typeof process === "object" ? process.env?.[name] : undefined;
}

/**
 * A provider's own package, which this one does not need. Its name is hidden from bundlers: one that found it would stop
 * where the package is not installed.
 */
// biome-ignore lint/suspicious/noExplicitAny: its types are there only where it is installed.
async function library(name: string): Promise<any> {
  try {
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
  } catch (cause) {
    throw new CounterfoilError("option", "model", `needs the package ${name}: npm install ${name}`, { cause });
  }
}
