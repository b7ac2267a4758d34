//! The repaired twin of `ordinary.rs`: extractors of its own turn every rejection of axum into the
//! Error body, the body must be a JSON object, and a status that an animal does not have is left out.

use std::{
    collections::BTreeMap,
    env,
    sync::{Arc, RwLock},
};

use axum::{
    Json, RequestPartsExt, Router,
    body::Bytes,
    extract::{
        FromRequest, FromRequestParts, Path, Query, Request, State,
        rejection::{PathRejection, QueryRejection},
    },
    http::{StatusCode, Uri, header::CONTENT_TYPE, request::Parts},
    response::{IntoResponse, Response},
    routing::get,
};
use axum_extra::{
    TypedHeader,
    headers::{Authorization, authorization::Bearer},
};
use serde::{Deserialize, Deserializer, Serialize, de::IntoDeserializer};
use serde_json::{Map, Value};

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
    #[serde(default, deserialize_with = "string_if_there")]
    status: Option<PetStatus>,
}

/// A member that may be left out, but is a string when it is there: serde alone would also read null,
/// and `{"sold": null}` for "sold".
fn string_if_there<'de, D>(deserializer: D) -> Result<Option<PetStatus>, D::Error>
where
    D: Deserializer<'de>,
{
    let text = String::deserialize(deserializer)?;
    PetStatus::deserialize(text.into_deserializer()).map(Some)
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Pet {
    id: i64,
    name: String,
    category_id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
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
    InvalidQuery(String),
    InvalidBody(String),
    NotJson,
    InvalidKey,
    PetNotFound(i64),
    NoSuchPath(Uri),
    MethodNotAllowed,
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
            AppError::InvalidQuery(why) => (StatusCode::BAD_REQUEST, "invalid_query", why),
            AppError::InvalidBody(why) => (StatusCode::BAD_REQUEST, "invalid_body", why),
            AppError::NotJson => (
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "not_json",
                "the body must be application/json".to_owned(),
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
            AppError::NoSuchPath(uri) => (
                StatusCode::NOT_FOUND,
                "no_such_path",
                format!("there is nothing at {}", uri.path()),
            ),
            AppError::MethodNotAllowed => (
                StatusCode::METHOD_NOT_ALLOWED,
                "method_not_allowed",
                "the path does not support this method".to_owned(),
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

/// A NewPet read from a JSON object; serde alone would also read it from an array.
struct NewPetBody(NewPet);

impl FromRequest<AppState> for NewPetBody {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, AppError> {
        let media_type = request.headers().get(CONTENT_TYPE).cloned();
        let bytes = Bytes::from_request(request, state)
            .await
            .map_err(|rejection| AppError::InvalidBody(rejection.body_text()))?;
        if bytes.is_empty() {
            return Err(AppError::InvalidBody("the body is missing".to_owned()));
        }
        let is_json = media_type
            .and_then(|value| value.to_str().map(str::to_ascii_lowercase).ok())
            .is_some_and(|text| text.split(';').next().map(str::trim) == Some("application/json"));
        if !is_json {
            return Err(AppError::NotJson);
        }
        let object: Map<String, Value> =
            serde_json::from_slice(&bytes).map_err(|err| AppError::InvalidBody(err.to_string()))?;
        serde_json::from_value(Value::Object(object))
            .map(NewPetBody)
            .map_err(|err| AppError::InvalidBody(err.to_string()))
    }
}

async fn list_pets(
    _key: ValidKey,
    State(state): State<AppState>,
    query: Result<Query<ListParams>, QueryRejection>,
) -> Result<Json<Vec<Pet>>, AppError> {
    let Query(params) = query.map_err(|rejection| AppError::InvalidQuery(rejection.body_text()))?;
    let limit = params.limit.unwrap_or(20);
    if !(1..=100).contains(&limit) {
        return Err(AppError::InvalidQuery(
            "limit must be between 1 and 100".to_owned(),
        ));
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
    NewPetBody(new): NewPetBody,
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
    path: Result<Path<i64>, PathRejection>,
    uri: Uri,
) -> Result<Json<Pet>, AppError> {
    let Ok(Path(id)) = path else {
        return Err(AppError::NoSuchPath(uri));
    };
    let pets = state.pets.read().unwrap();
    let pet = pets.get(&id).cloned();
    pet.map(Json).ok_or_else(|| AppError::PetNotFound(id))
}

async fn no_such_path(_key: ValidKey, uri: Uri) -> AppError {
    AppError::NoSuchPath(uri)
}

async fn method_not_allowed(_key: ValidKey) -> AppError {
    AppError::MethodNotAllowed
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
    let app = Router::new()
        .nest("/v1", pets)
        .fallback(no_such_path)
        .method_not_allowed_fallback(method_not_allowed)
        .with_state(state);

    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port))
        .await
        .unwrap();
    axum::serve(listener, app).await.unwrap();
}
