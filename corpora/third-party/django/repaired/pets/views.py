from django.http import Http404
from rest_framework import status
from rest_framework.response import Response
from rest_framework.views import APIView

from . import store
from .serializers import ListQuerySerializer, PetSerializer


class PetList(APIView):
    """
    List the animals, or add one.
    """

    def get(self, request):
        query = ListQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        wanted = query.validated_data.get("status")
        pets = [pet for pet in store.pets.values() if wanted is None or pet.get("status") == wanted]
        serializer = PetSerializer(pets[: query.validated_data["limit"]], many=True)
        return Response(serializer.data)

    def post(self, request):
        serializer = PetSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        serializer.save()
        return Response(serializer.data, status=status.HTTP_201_CREATED)


class PetDetail(APIView):
    """
    Read one animal.
    """

    def get(self, request, pet_id):
        try:
            pet = store.pets[int(pet_id)]
        except (KeyError, ValueError):
            raise Http404
        return Response(PetSerializer(pet).data)
