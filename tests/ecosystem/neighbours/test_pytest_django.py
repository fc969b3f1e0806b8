"""pytest-django: a view calls the vendor, and the world delivers to the project's ASGI and WSGI applications."""

from __future__ import annotations

from tests.support.neighbours import Run


def test_a_view_is_routed_and_gets_webhooks(beside: Run) -> None:
    outcomes, printed = beside(
        """
        import requests
        from django.conf import settings
        from django.core.asgi import get_asgi_application
        from django.core.wsgi import get_wsgi_application
        from django.http import HttpResponse
        from django.urls import path

        settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="k", DEBUG=False)

        def order(request):
            return HttpResponse(status=requests.post(URL, json=ORDER, timeout=60).status_code)

        def hook(request):
            return HttpResponse(status=204)

        urlpatterns = [path("order", order), path("gifts", hook)]

        def test_it(giftsim, client):
            giftsim.subscribe("team_order.claimed", "team_order.shipped")
            with giftsim.route(VENDOR, "partner.prepaid"):
                assert client.get("/order").status_code == 201
            [row] = giftsim.listed("orders")
            giftsim.claim(row)
            giftsim.advance("1h")
            assert [result.status for result in giftsim.deliver_to(get_wsgi_application())] == [204]
            giftsim.advance("3d")
            assert [result.status for result in giftsim.deliver_to(get_asgi_application())] == [204]
        """
    )
    assert outcomes == {"passed": 1}, printed
