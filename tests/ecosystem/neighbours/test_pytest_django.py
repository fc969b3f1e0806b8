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


def test_a_view_shares_the_transaction_of_a_test_with_a_database_in_a_file(beside: Run) -> None:
    """Django closes its connections at each request, and with them the transaction of a test that has called it."""
    outcomes, printed = beside(
        """
        import django
        import requests
        from django.conf import settings
        from django.core.signals import request_finished, request_started
        from django.core.wsgi import get_wsgi_application
        from django.db import close_old_connections
        from django.http import HttpResponse
        from django.urls import path

        FILE = {"ENGINE": "django.db.backends.sqlite3", "NAME": "shop.db", "TEST": {"NAME": "test.db"}}
        APPS = ["django.contrib.contenttypes"]
        settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], DATABASES={"default": FILE}, INSTALLED_APPS=APPS)
        django.setup()
        from django.contrib.contenttypes.models import ContentType

        def hook(request):
            ContentType.objects.create(app_label="shop", model=str(ContentType.objects.count()))
            return HttpResponse(status=204)

        urlpatterns = [path("gifts", hook)]

        @pytest.mark.django_db
        def test_it(giftsim):
            ContentType.objects.create(app_label="shop", model="before")
            giftsim.subscribe("team_order.claimed", "team_order.shipped")
            with giftsim.route(VENDOR, "partner.prepaid"):
                requests.post(URL, json=ORDER, timeout=60)
            giftsim.claim(giftsim.listed("orders")[0])
            giftsim.advance("4d")
            assert [result.status for result in giftsim.deliver_to(get_wsgi_application())] == [204, 204]
            assert ContentType.objects.filter(app_label="shop").count() == 3
            for signal in (request_started, request_finished):
                assert signal.disconnect(close_old_connections)
                signal.connect(close_old_connections)

        @pytest.mark.django_db
        def test_the_next_one_begins_anew():
            assert not ContentType.objects.filter(app_label="shop")
        """
    )
    assert outcomes == {"passed": 2}, printed
