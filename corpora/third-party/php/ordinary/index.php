<?php
require __DIR__ . '/store.php';

header('Content-Type: application/json');

function send($status, $data)
{
    http_response_code($status);
    echo json_encode($data);
    exit;
}

function send_error($status, $code, $message)
{
    send($status, ['code' => $code, 'message' => $message, 'status' => $status]);
}

if (($_SERVER['HTTP_AUTHORIZATION'] ?? '') !== 'Bearer ' . getenv('API_KEY')) {
    send_error(401, 'unauthorized', 'A valid API key is required');
}

$method = $_SERVER['REQUEST_METHOD'];
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);

if ($method === 'GET' && $path === '/v1/pets') {
    $limit = (int) ($_GET['limit'] ?? 20);
    if ($limit < 1 || $limit > 100) {
        send_error(400, 'invalid_limit', 'limit must be between 1 and 100');
    }
    send(200, list_pets($limit, $_GET['status'] ?? null));
}

if ($method === 'POST' && $path === '/v1/pets') {
    $data = json_decode(file_get_contents('php://input'), true);
    if (empty($data['name']) || empty($data['categoryId'])) {
        send_error(400, 'missing_field', 'name and categoryId are required');
    }
    if (!is_string($data['name'])) {
        send_error(400, 'invalid_value', 'name must be a string');
    }
    if (filter_var($data['categoryId'], FILTER_VALIDATE_INT) === false) {
        send_error(400, 'invalid_value', 'categoryId must be an integer');
    }
    if (isset($data['status']) && !in_array($data['status'], STATUSES)) {
        send_error(400, 'invalid_value', 'status must be one of ' . implode(', ', STATUSES));
    }
    send(201, add_pet($data['name'], (int) $data['categoryId'], $data['status'] ?? null));
}

if ($method === 'GET' && preg_match('#^/v1/pets/([^/]+)$#', $path, $match)) {
    $pet = find_pet($match[1]);
    if ($pet === null) {
        send_error(404, 'not_found', "Pet {$match[1]} does not exist");
    }
    send(200, $pet);
}

send_error(404, 'not_found', "$method $path does not exist");
