from rest_framework import serializers

from . import store


class StrictCharField(serializers.CharField):
    """A CharField would turn numbers into text."""

    def to_internal_value(self, data):
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Int64Field(serializers.IntegerField):
    """An IntegerField would turn text into integers, and take integers of any size."""

    def __init__(self, **kwargs):
        super().__init__(min_value=-(2**63), max_value=2**63 - 1, **kwargs)

    def to_internal_value(self, data):
        if type(data) is not int:
            self.fail("invalid")
        return super().to_internal_value(data)


class PetSerializer(serializers.Serializer):
    id = serializers.IntegerField(read_only=True)
    name = StrictCharField(trim_whitespace=False)
    categoryId = Int64Field()
    status = serializers.ChoiceField(choices=store.STATUSES, required=False)

    def create(self, validated_data):
        return store.add(**validated_data)


class ListQuerySerializer(serializers.Serializer):
    limit = serializers.IntegerField(min_value=1, max_value=100, default=20)
    status = serializers.ChoiceField(choices=store.STATUSES, required=False)
