from django.conf import settings
from django.contrib.auth.models import User
from rest_framework import authentication, exceptions


class ApiKeyAuthentication(authentication.BaseAuthentication):
    def authenticate(self, request):
        header = request.headers.get("Authorization")
        if not header:
            return None
        if header != f"Bearer {settings.API_KEY}":
            raise exceptions.AuthenticationFailed("Invalid API key")
        return (User(username="api"), None)
