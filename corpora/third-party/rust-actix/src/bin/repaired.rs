//! The repaired twin of `ordinary.rs`: every rejection of actix-web and of the bearer middleware becomes
//! the Error body, the body must be a JSON object, and a status that an animal does not have is left out.

use std::{collections::BTreeMap, env, sync::Mutex};

use actix_web::{
    App, Error, HttpMessage, HttpRequest, HttpResponse, HttpServer, Responder,
    dev::ServiceRequest,
    error::ResponseError,
    http::{StatusCode, Uri},
    web,
};
use actix_web_httpauth::{extractors::bearer::BearerAuth, middleware::HttpAuthentication};
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

fn default_limit() -> usize {
    20
}

#[derive(Deserialize)]
struct ListQuery {
    #[serde(default = "default_limit")]
    limit: usize,
    status: Option<PetStatus>,
}

struct AppState {
    api_key: String,
    pets: Mutex<BTreeMap<i64, Pet>>,
}

#[derive(Debug, derive_more::Display)]
enum StoreError {
    #[display("{_0}")]
    InvalidQuery(String),
    #[display("{_0}")]
    InvalidBody(String),
    #[display("the body must be application/json")]
    NotJson,
    #[display("the API key is missing or invalid")]
    InvalidKey,
    #[display("there is no pet {_0}")]
    PetNotFound(i64),
    #[display("there is nothing at {_0}")]
    NoSuchPath(Uri),
    #[display("the path does not support this method")]
    MethodNotAllowed,
}

#[derive(Serialize)]
struct ErrorBody {
    code: &'static str,
    message: String,
    status: u16,
}

impl ResponseError for StoreError {
    fn status_code(&self) -> StatusCode {
        match self {
            StoreError::InvalidQuery(_) | StoreError::InvalidBody(_) => StatusCode::BAD_REQUEST,
            StoreError::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            StoreError::InvalidKey => StatusCode::UNAUTHORIZED,
            StoreError::PetNotFound(_) | StoreError::NoSuchPath(_) => StatusCode::NOT_FOUND,
            StoreError::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        }
    }

    fn error_response(&self) -> HttpResponse {
        let code = match self {
            StoreError::InvalidQuery(_) => "invalid_query",
            StoreError::InvalidBody(_) => "invalid_body",
            StoreError::NotJson => "not_json",
            StoreError::InvalidKey => "unauthorized",
            StoreError::PetNotFound(_) => "pet_not_found",
            StoreError::NoSuchPath(_) => "no_such_path",
            StoreError::MethodNotAllowed => "method_not_allowed",
        };
        HttpResponse::build(self.status_code()).json(ErrorBody {
            code,
            message: self.to_string(),
            status: self.status_code().as_u16(),
        })
    }
}

async fn validate_key(
    req: ServiceRequest,
    credentials: Option<BearerAuth>,
) -> Result<ServiceRequest, (Error, ServiceRequest)> {
    let valid = req
        .app_data::<web::Data<AppState>>()
        .zip(credentials)
        .is_some_and(|(state, credentials)| credentials.token() == state.api_key);
    if valid {
        Ok(req)
    } else {
        Err((StoreError::InvalidKey.into(), req))
    }
}

async fn list_pets(
    state: web::Data<AppState>,
    query: web::Query<ListQuery>,
) -> Result<impl Responder, StoreError> {
    if !(1..=100).contains(&query.limit) {
        return Err(StoreError::InvalidQuery(
            "limit must be between 1 and 100".to_owned(),
        ));
    }
    let pets = state.pets.lock().unwrap();
    let found: Vec<Pet> = pets
        .values()
        .filter(|pet| query.status.is_none() || pet.status == query.status)
        .take(query.limit)
        .cloned()
        .collect();
    Ok(web::Json(found))
}

/// Reads a NewPet from a JSON object; serde alone would also read it from an array.
fn read_new_pet(req: &HttpRequest, body: &[u8]) -> Result<NewPet, StoreError> {
    if body.is_empty() {
        return Err(StoreError::InvalidBody("the body is missing".to_owned()));
    }
    if !req.content_type().eq_ignore_ascii_case("application/json") {
        return Err(StoreError::NotJson);
    }
    let object: Map<String, Value> =
        serde_json::from_slice(body).map_err(|err| StoreError::InvalidBody(err.to_string()))?;
    serde_json::from_value(Value::Object(object))
        .map_err(|err| StoreError::InvalidBody(err.to_string()))
}

async fn create_pet(
    state: web::Data<AppState>,
    req: HttpRequest,
    body: web::Bytes,
) -> Result<impl Responder, StoreError> {
    let new = read_new_pet(&req, &body)?;
    let mut pets = state.pets.lock().unwrap();
    let id = pets.keys().last().map_or(1, |last| last + 1);
    let pet = Pet {
        id,
        name: new.name,
        category_id: new.category_id,
        status: new.status,
    };
    pets.insert(id, pet.clone());
    Ok(HttpResponse::Created().json(pet))
}

async fn get_pet(
    state: web::Data<AppState>,
    path: web::Path<i64>,
) -> Result<impl Responder, StoreError> {
    let pets = state.pets.lock().unwrap();
    let id = path.into_inner();
    let pet = pets.get(&id).cloned();
    Ok(web::Json(pet.ok_or(StoreError::PetNotFound(id))?))
}

async fn method_not_allowed() -> Result<HttpResponse, StoreError> {
    Err(StoreError::MethodNotAllowed)
}

async fn no_such_path(uri: Uri) -> Result<HttpResponse, StoreError> {
    Err(StoreError::NoSuchPath(uri))
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

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    let port: u16 = env::var("PORT")
        .expect("PORT is not set")
        .parse()
        .expect("PORT is not a port number");
    let api_key = env::var("API_KEY").expect("API_KEY is not set");

    let state = web::Data::new(AppState {
        api_key,
        pets: Mutex::new(seed()),
    });
    HttpServer::new(move || {
        let pets = web::resource("/v1/pets")
            .route(web::get().to(list_pets))
            .route(web::post().to(create_pet))
            .default_service(web::to(method_not_allowed));
        let pet = web::resource("/v1/pets/{petId}")
            .route(web::get().to(get_pet))
            .default_service(web::to(method_not_allowed));
        App::new()
            .app_data(state.clone())
            .app_data(
                web::QueryConfig::default()
                    .error_handler(|err, _| StoreError::InvalidQuery(err.to_string()).into()),
            )
            .app_data(
                web::PathConfig::default()
                    .error_handler(|_, req| StoreError::NoSuchPath(req.uri().clone()).into()),
            )
            .wrap(HttpAuthentication::with_fn(validate_key))
            .service(pets)
            .service(pet)
            .default_service(web::to(no_such_path))
    })
    .bind(("127.0.0.1", port))?
    .run()
    .await
}
