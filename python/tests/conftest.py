"""The same examples at every run, and nothing written outside the clone's .cache."""

from pathlib import Path

from hypothesis import configuration, settings

configuration.set_hypothesis_home_dir(Path(__file__).resolve().parents[2] / ".cache" / "hypothesis")
settings.register_profile("same", derandomize=True, database=None)
settings.load_profile("same")
