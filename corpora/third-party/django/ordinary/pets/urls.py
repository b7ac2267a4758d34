from django.urls import path

from . import views

urlpatterns = [
    path("pets", views.PetList.as_view()),
    path("pets/<int:pet_id>", views.PetDetail.as_view()),
]
