//! The pet store on axum, written after axum's own examples: typed extractors for the path, the
//! query and the body, one error type that implements `IntoResponse`, and the API key as an
//! extractor as in the `jwt` example.

use std::{
    collections::BTreeMap,
    env,
    sync::{Arc, RwLock},
};

use axum::{
    Json, RequestPartsExt, Router,
    extract::{FromRequestParts, Path, Query, State},
    http::{StatusCode, request::Parts},
    response::{IntoResponse, Response},
    routing::get,
};
use axum_extra::{
    TypedHeader,
    headers::{Authorization, authorization::Bearer},
};
use serde::{Deserialize, Serialize};

const ANIMALS: [&str; 10] = [
    "Bella", "Milo", "Luna", "Rocky", "Coco", "Oscar", "Nala", "Ziggy", "Pepper", "Biscuit",
];

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PetStatus {
    Available,
    Pending,
    Sold,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewPet {
    name: String,
    category_id: i64,
    status: Option<PetStatus>,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Pet {
    id: i64,
    name: String,
    category_id: i64,
    status: Option<PetStatus>,
}

#[derive(Deserialize)]
struct ListParams {
    limit: Option<usize>,
    status: Option<PetStatus>,
}

#[derive(Clone)]
struct AppState {
    api_key: Arc<str>,
    pets: Arc<RwLock<BTreeMap<i64, Pet>>>,
}

enum AppError {
    InvalidLimit,
    InvalidKey,
    PetNotFound(i64),
}

#[derive(Serialize)]
struct ErrorBody {
    code: &'static str,
    message: String,
    status: u16,
}

impl IntoResponse for AppError {
    fn into_response(self) -> Response {
        let (status, code, message) = match self {
            AppError::InvalidLimit => (
                StatusCode::BAD_REQUEST,
                "invalid_limit",
                "limit must be between 1 and 100".to_owned(),
            ),
            AppError::InvalidKey => (
                StatusCode::UNAUTHORIZED,
                "unauthorized",
                "the API key is missing or invalid".to_owned(),
            ),
            AppError::PetNotFound(id) => (
                StatusCode::NOT_FOUND,
                "pet_not_found",
                format!("there is no pet {id}"),
            ),
        };
        let body = ErrorBody {
            code,
            message,
            status: status.as_u16(),
        };
        (status, Json(body)).into_response()
    }
}

/// Proof that the request carries the API key.
struct ValidKey;

impl FromRequestParts<AppState> for ValidKey {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, AppError> {
        let TypedHeader(Authorization(bearer)) = parts
            .extract::<TypedHeader<Authorization<Bearer>>>()
            .await
            .map_err(|_| AppError::InvalidKey)?;
        if bearer.token() == &*state.api_key {
            Ok(ValidKey)
        } else {
            Err(AppError::InvalidKey)
        }
    }
}

async fn list_pets(
    _key: ValidKey,
    State(state): State<AppState>,
    Query(params): Query<ListParams>,
) -> Result<Json<Vec<Pet>>, AppError> {
    let limit = params.limit.unwrap_or(20);
    if !(1..=100).contains(&limit) {
        return Err(AppError::InvalidLimit);
    }
    let pets = state.pets.read().unwrap();
    let found = pets
        .values()
        .filter(|pet| params.status.is_none() || pet.status == params.status)
        .take(limit)
        .cloned()
        .collect();
    Ok(Json(found))
}

async fn create_pet(
    _key: ValidKey,
    State(state): State<AppState>,
    Json(new): Json<NewPet>,
) -> (StatusCode, Json<Pet>) {
    let mut pets = state.pets.write().unwrap();
    let id = pets.keys().last().map_or(1, |last| last + 1);
    let pet = Pet {
        id,
        name: new.name,
        category_id: new.category_id,
        status: new.status,
    };
    pets.insert(id, pet.clone());
    (StatusCode::CREATED, Json(pet))
}

async fn get_pet(
    _key: ValidKey,
    State(state): State<AppState>,
    Path(id): Path<i64>,
) -> Result<Json<Pet>, AppError> {
    let pets = state.pets.read().unwrap();
    let pet = pets.get(&id).cloned().ok_or(AppError::PetNotFound(id))?;
    Ok(Json(pet))
}

fn seed() -> BTreeMap<i64, Pet> {
    let statuses = [PetStatus::Available, PetStatus::Pending, PetStatus::Sold];
    (1..=30)
        .map(|id| {
            let n = id as usize;
            let pet = Pet {
                id,
                name: ANIMALS[n % ANIMALS.len()].to_owned(),
                category_id: id % 4 + 1,
                status: Some(statuses[n % statuses.len()]),
            };
            (id, pet)
        })
        .collect()
}

#[tokio::main]
async fn main() {
    let port: u16 = env::var("PORT")
        .expect("PORT is not set")
        .parse()
        .expect("PORT is not a port number");
    let api_key = env::var("API_KEY").expect("API_KEY is not set");

    let state = AppState {
        api_key: api_key.into(),
        pets: Arc::new(RwLock::new(seed())),
    };
    let pets = Router::new()
        .route("/pets", get(list_pets).post(create_pet))
        .route("/pets/{petId}", get(get_pet));
    let app = Router::new().nest("/v1", pets).with_state(state);

    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port))
        .await
        .unwrap();
    axum::serve(listener, app).await.unwrap();
}
