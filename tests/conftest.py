"""How Hypothesis looks: at what comes of an example, not at how long a busy machine took over it."""

from hypothesis import HealthCheck, settings

settings.register_profile("bookboard", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("bookboard")
