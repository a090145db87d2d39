"""Opening the app."""

from chatmem.adapters.system.screen import quiet_stderr
from chatmem.bootstrap.build import opened
from chatmem.bootstrap.installation import Installation
from chatmem.bootstrap.product import Product
from chatmem.domain.turn import Session, SessionId


def run_app(installation: Installation, *, session_id: str | None, resume: bool, incognito: bool) -> None:
    """Open the screen, and close everything behind it.

    Raises:
        ChatMemError: If the settings or the session log can't be read.
    """
    from chatmem.ui.app import ChatMemApp

    wanted: Installation | None = installation
    while wanted is not None:
        with opened(wanted, incognito=incognito) as product:
            product.finish_forgetting()
            session = _asked_for(product, session_id, resume=resume)
            app = ChatMemApp(
                product,
                choice=product.choosing.choose(session),
                session_id=session.id if session else None,
                resume_latest=resume,
                theme=product.settings.theme,
            )
            with quiet_stderr():
                app.run()
        # What is open belongs to one profile alone: another one is opened when all of this one is closed.
        wanted = wanted.with_profile(app.profile_wanted) if app.profile_wanted else None
        session_id, resume = None, False


def _asked_for(product: Product, session_id: str | None, *, resume: bool) -> Session | None:
    if session_id:
        return product.log.session(SessionId(session_id))
    return next(iter(product.log.sessions(limit=1)), None) if resume else None
