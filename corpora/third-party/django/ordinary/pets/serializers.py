from rest_framework import serializers

from . import store


class PetSerializer(serializers.Serializer):
    id = serializers.IntegerField(read_only=True)
    name = serializers.CharField()
    categoryId = serializers.IntegerField()
    status = serializers.ChoiceField(choices=store.STATUSES, required=False)

    def create(self, validated_data):
        return store.add(**validated_data)


class ListQuerySerializer(serializers.Serializer):
    limit = serializers.IntegerField(min_value=1, max_value=100, default=20)
    status = serializers.ChoiceField(choices=store.STATUSES, required=False)
