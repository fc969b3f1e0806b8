<?php // Makes one POST with PHP's curl, and prints the status and the body.
$call = curl_init($argv[1]);
curl_setopt_array($call, [
    CURLOPT_POSTFIELDS => $argv[2],
    CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
    CURLOPT_RETURNTRANSFER => true,
]);
$body = curl_exec($call);
if ($body === false) {
    fwrite(STDERR, curl_error($call) . "\n");
    exit(1);
}
echo curl_getinfo($call, CURLINFO_RESPONSE_CODE), ' ', $body, "\n";
