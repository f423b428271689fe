"""Ready-made callbacks for the model step: `verify(turn, mode="model", model=models.ollama("qwen3"))`.

Each makes one request, without tools and without retries, and hands back the model's own text. What goes wrong is the
library's own exception, which the check records as `failure`.
"""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from counterfoil.errors import Error
from counterfoil.types import ModelRequest

__all__ = ["anthropic", "named", "ollama", "openai"]

Callback: TypeAlias = "Callable[[ModelRequest], Any]"
MOST_TOKENS = 400
"""The most that an answer may be long; one needs about 200."""


def openai(name: str, *, client: Any = None, base_url: str | None = None, api_key: str | None = None) -> Callback:
    """Asks a model behind OpenAI's Chat Completions, at OpenAI or at any endpoint that speaks the same.

    `client` is your own `openai.OpenAI`, or an `openai.AsyncOpenAI` for `averify`. Without one a client is made of the
    other arguments for each request, as `pip install 'counterfoil[openai]'` has it.
    """

    def make() -> Any:
        # A server of one's own wants no key, but the library does.
        key = api_key or os.environ.get("OPENAI_API_KEY") or (None if base_url is None else "none")
        return library("openai").OpenAI(base_url=base_url, api_key=key, max_retries=0)

    def create(client: Any, request: ModelRequest) -> Any:
        return client.chat.completions.create(
            model=name,
            messages=[{"role": "system", "content": request.system}, {"role": "user", "content": request.prompt}],
            temperature=request.temperature,
            max_tokens=MOST_TOKENS,
            response_format={
                "type": "json_schema",
                "json_schema": {"name": "verdict", "schema": request.schema, "strict": False},
            },
        )

    def said(made: Any) -> Any:
        message = made.choices[0].message
        refusal = getattr(message, "refusal", None)
        return {"refusal": refusal} if refusal else message.content

    return asking(client, make, create, said)


def anthropic(name: str, *, client: Any = None, base_url: str | None = None, api_key: str | None = None) -> Callback:
    """Asks a model behind Anthropic's Messages, which take no temperature any more.

    `client` is your own `anthropic.Anthropic`, or an `anthropic.AsyncAnthropic` for `averify`. Without one a client is
    made of the other arguments for each request, as `pip install 'counterfoil[anthropic]'` has it.
    """

    def make() -> Any:
        return library("anthropic").Anthropic(base_url=base_url, api_key=api_key, max_retries=0)

    def create(client: Any, request: ModelRequest) -> Any:
        return client.messages.create(
            model=name,
            system=request.system,
            messages=[{"role": "user", "content": request.prompt}],
            thinking={"type": "disabled"},
            max_tokens=MOST_TOKENS,
        )

    def said(made: Any) -> Any:
        if made.stop_reason == "refusal":
            return {"refusal": "the model declined"}
        return "".join(block.text for block in made.content if block.type == "text")

    return asking(client, make, create, said)


def asking(
    client: Any, make: Callable[[], Any], create: Callable[[Any, ModelRequest], Any], said: Callable[[Any], Any]
) -> Callback:
    """A callback over a provider's client, the caller's or one for each request."""
    if client is None:
        make().close()  # What is missing, such as the package or a key, is said at once.

    def callback(request: ModelRequest) -> Any:
        if client is None:
            with make() as own:
                return said(create(own, request))
        made = create(client, request)
        return later(made, said) if hasattr(made, "__await__") else said(made)

    return callback


def ollama(name: str, *, base_url: str = "http://127.0.0.1:11434", timeout: float = 60.0) -> Callback:
    """Asks a model that Ollama serves, by its own `/api/chat`; no package is needed.

    `timeout` ends the connection; the check may give up sooner.
    """
    if not base_url.startswith(("http://", "https://")):
        raise Error("option", "base_url", "expected an address that begins with http:// or https://")

    def callback(request: ModelRequest) -> str:
        body = {
            "model": name,
            "messages": [{"role": "system", "content": request.system}, {"role": "user", "content": request.prompt}],
            "format": request.schema,
            "think": request.thinking,
            "stream": False,
            "options": {"temperature": request.temperature, "num_predict": MOST_TOKENS},
        }
        call = urllib.request.Request(
            f"{base_url.rstrip('/')}/api/chat",
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(call, timeout=timeout) as response:
                found: Mapping[str, Any] = json.load(response)
        except urllib.error.HTTPError as failure:
            failure.close()  # It is the response, too, with its connection.
            raise
        text: str = found["message"]["content"]
        return text

    return callback


PROVIDERS: Mapping[str, Callable[..., Callback]] = {"openai": openai, "anthropic": anthropic, "ollama": ollama}


def named(name: str, base_url: str | None = None) -> Callback:
    """The callback that `PROVIDER:NAME` names, as the command line takes it."""
    provider, _, model = name.partition(":")
    if provider not in PROVIDERS or not model:
        known = ", ".join(f"{provider}:NAME" for provider in PROVIDERS)
        raise Error("option", "model", f"expected one of {known}; found {name!r:.80}")
    return PROVIDERS[provider](model, **({} if base_url is None else {"base_url": base_url}))


async def later(made: Any, said: Callable[[Any], Any]) -> Any:
    return said(await made)


def library(name: str) -> Any:
    """A provider's own package, which this one does not need."""
    try:
        return __import__(name)
    except ImportError as failure:
        message = f"needs the package {name}: pip install 'counterfoil[{name}]'"
        raise Error("option", "model", message) from failure
