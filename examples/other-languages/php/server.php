<?php
// A small server that uses portico.php: php -d apc.enable_cli=1 -S 127.0.0.1:8000 server.php

use Portico\Refused;
use function Portico\accessOf;
use function Portico\sessionOf;

require __DIR__ . '/vendor/autoload.php';
require __DIR__ . '/portico.php';

$method = $_SERVER['REQUEST_METHOD'];
$headers = array_change_key_case(getallheaders(), CASE_LOWER);
try {
    $body = match (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
        '/session' => sessionOf($method, $headers),
        '/drafts' => sessionOf($method, $headers, 'editor'),
        default => accessOf($headers, 'notes:read'),
    };
} catch (Refused $refused) {
    http_response_code($refused->getCode());
    $body = ['error' => $refused->getMessage()];
}
header('content-type: application/json');
echo json_encode($body);
