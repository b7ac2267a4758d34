//! The pet store on actix-web, written after its documentation: handlers with extractors, an error
//! enum that implements `ResponseError`, and the bearer middleware of actix-web-httpauth.

use std::{collections::BTreeMap, env, sync::Mutex};

use actix_web::{
    App, Error, HttpResponse, HttpServer, Responder, dev::ServiceRequest, error::ResponseError,
    get, http::StatusCode, post, web,
};
use actix_web_httpauth::{
    extractors::{
        AuthenticationError,
        bearer::{BearerAuth, Config},
    },
    middleware::HttpAuthentication,
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

#[derive(Debug, derive_more::Display, derive_more::Error)]
enum StoreError {
    #[display("limit must be between 1 and 100")]
    InvalidLimit,
    #[display("no such pet")]
    PetNotFound,
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
            StoreError::InvalidLimit => StatusCode::BAD_REQUEST,
            StoreError::PetNotFound => StatusCode::NOT_FOUND,
        }
    }

    fn error_response(&self) -> HttpResponse {
        let code = match self {
            StoreError::InvalidLimit => "invalid_limit",
            StoreError::PetNotFound => "pet_not_found",
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
    credentials: BearerAuth,
) -> Result<ServiceRequest, (Error, ServiceRequest)> {
    let valid = req
        .app_data::<web::Data<AppState>>()
        .is_some_and(|state| credentials.token() == state.api_key);
    if valid {
        Ok(req)
    } else {
        let config = req.app_data::<Config>().cloned().unwrap_or_default();
        Err((AuthenticationError::from(config).into(), req))
    }
}

#[get("/pets")]
async fn list_pets(
    state: web::Data<AppState>,
    query: web::Query<ListQuery>,
) -> Result<impl Responder, StoreError> {
    if !(1..=100).contains(&query.limit) {
        return Err(StoreError::InvalidLimit);
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

#[post("/pets")]
async fn create_pet(state: web::Data<AppState>, new: web::Json<NewPet>) -> impl Responder {
    let new = new.into_inner();
    let mut pets = state.pets.lock().unwrap();
    let id = pets.keys().last().map_or(1, |last| last + 1);
    let pet = Pet {
        id,
        name: new.name,
        category_id: new.category_id,
        status: new.status,
    };
    pets.insert(id, pet.clone());
    HttpResponse::Created().json(pet)
}

#[get("/pets/{petId}")]
async fn get_pet(
    state: web::Data<AppState>,
    path: web::Path<i64>,
) -> Result<impl Responder, StoreError> {
    let pets = state.pets.lock().unwrap();
    let pet = pets.get(&path.into_inner()).cloned();
    Ok(web::Json(pet.ok_or(StoreError::PetNotFound)?))
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
        App::new().app_data(state.clone()).service(
            web::scope("/v1")
                .wrap(HttpAuthentication::bearer(validate_key))
                .service(list_pets)
                .service(create_pet)
                .service(get_pet),
        )
    })
    .bind(("127.0.0.1", port))?
    .run()
    .await
}
