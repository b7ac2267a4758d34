<?php
// The animals live in APCu, PHP's shared memory: every request runs the script afresh.

const STATUSES = ['available', 'pending', 'sold'];

const NAMES = [
    'Bella', 'Max', 'Luna', 'Charlie', 'Lucy', 'Cooper', 'Daisy', 'Milo', 'Zoe', 'Buddy',
    'Lily', 'Rocky', 'Lola', 'Bear', 'Sadie', 'Duke', 'Bailey', 'Tucker', 'Stella', 'Oliver',
    'Maggie', 'Jack', 'Chloe', 'Toby', 'Penny', 'Leo', 'Nala', 'Oscar', 'Ruby', 'Finn',
];

function add_pet($name, $categoryId, $status)
{
    $pet = ['id' => apcu_inc('last_id'), 'name' => $name, 'categoryId' => $categoryId];
    if ($status !== null) {
        $pet['status'] = $status;
    }
    apcu_store('pet:' . $pet['id'], $pet);
    return $pet;
}

function find_pet($id)
{
    $pet = apcu_fetch('pet:' . $id);
    return $pet === false ? null : $pet;
}

function list_pets($limit, $status)
{
    $found = [];
    $last = apcu_fetch('last_id');
    for ($id = 1; $id <= $last && count($found) < $limit; $id++) {
        $pet = find_pet($id);
        if ($pet && ($status === null || ($pet['status'] ?? null) === $status)) {
            $found[] = $pet;
        }
    }
    return $found;
}

if (apcu_add('seeded', true)) {
    foreach (NAMES as $index => $name) {
        add_pet($name, $index % 5 + 1, STATUSES[$index % 3]);
    }
}
