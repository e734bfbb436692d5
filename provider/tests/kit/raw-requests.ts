import { basic, PUBLIC_TOKEN } from './harness.ts';

/** What a client may send that is not as it should be, and the answers to it, in order: none when it is cut off. */
export type RawRequest = readonly [what: string, bytes: string | Buffer, answers: readonly number[]];

const HOST = 'Host: localhost\r\n';
const END = 'Connection: close\r\n\r\n';
const SEARCH = 'POST /sdk/v1/users/search HTTP/1.1\r\n';
const FROM = `${HOST}Authorization: ${basic(PUBLIC_TOKEN, PUBLIC_TOKEN)}\r\n`;
const JSON_TYPE = 'Content-Type: application/json\r\n';
const BODY = '{"email":"raw@example.com"}';
const GET = 'GET /errors/invalid_email HTTP/1.1\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';

const get = (headers: string, target = '/errors/invalid_email', method = 'GET'): string =>
  `${method} ${target} HTTP/1.1\r\n${headers}${END}`;
const post = (headers: string, body: string): string => `${SEARCH}${FROM}${JSON_TYPE}${headers}${END}${body}`;
const sized = (body: string | Buffer, type = JSON_TYPE): Buffer =>
  Buffer.concat([
    Buffer.from(`${SEARCH}${FROM}${type}Content-Length: ${Buffer.byteLength(body)}\r\n${END}`),
    Buffer.from(body),
  ]);
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

export const RAW_REQUESTS: readonly RawRequest[] = [
  ['an honest request', sized(BODY), [200]],
  // The request line (RFC 9112, section 3).
  ['TLS on the port of plain HTTP', Buffer.from('160301020001000001fc0303', 'hex'), [400]],
  ['no version', 'GET /\r\n\r\n', [400]],
  ['an unknown version', get(HOST).replace('1.1', '9.9'), [400]],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  ['an invented method', get(HOST, '/sdk/v1/users/me', 'FETCH'), [400]],
  ['a method in lower case', get(HOST, '/sdk/v1/users/me', 'get'), [400]],
  ['a method that the route does not know', get(HOST, '/sdk/v1/users/me', 'PATCH'), [405]],
  ['TRACE', get(HOST, '/sdk/v1/users/me', 'TRACE'), [405]],
  ['CONNECT', get(HOST, 'evil.example:443', 'CONNECT'), []],
  ['a space in the target', get(HOST, '/errors/a b'), [400]],
  ['NUL in the target', get(HOST, '/errors/\0'), [400]],
  ['a target of 20 kB', get(HOST, `/${'a'.repeat(20_000)}`), [431]],
  // A proxy that lets only some paths in reads how they are spelled.
  ['a path out of the tree', get(HOST, '/../../etc/passwd'), [400]],
  ['an encoded path out of the tree', get(HOST, '/%2e%2e/%2e%2e/etc/passwd'), [400]],
  ['a path that leads elsewhere', get(HOST, '/sdk/v1/../../errors/invalid_email'), [400]],
  ['a path that leads elsewhere by backslashes', get(HOST, '/sdk/v1/..\\..\\errors/invalid_email'), [400]],
  ['a path with an escaped letter', get(HOST, '/%65rrors/invalid_email'), [400]],
  ['a path with an escaped space', get(HOST, '/errors/%20'), [404]],
  ['a broken escape', get(HOST, '/errors/%zz'), [404]],
  ['two slashes and a host', get(HOST, '//evil.example/errors/invalid_email'), [404]],
  // Whose server this is (RFC 9112, section 3.2).
  ['no Host', get(''), [400]],
  ['two Hosts', get(`${HOST}Host: evil.example\r\n`), [400]],
  ['two Hosts, the other way round', get(`Host: evil.example\r\n${HOST}`), [400]],
  ['a foreign Host', get('Host: evil.example\r\n'), [421]],
  ['a foreign Host that begins as ours', get('Host: localhost.evil.example\r\n'), [421]],
  ['a Host with a user', get('Host: localhost@evil.example\r\n'), [400]],
  ['a Host with a path', get('Host: localhost/evil\r\n'), [400]],
  ['a list of Hosts', get('Host: localhost, evil.example\r\n'), [400]],
  ['a target with a foreign host', get(HOST, 'http://evil.example/errors/invalid_email'), [421]],
  ['a target of ours with a foreign Host', get('Host: evil.example\r\n', 'http://localhost/errors/x'), [421]],
  ['a target of another scheme', get(HOST, 'file:///etc/passwd'), [400]],
  // Header fields (section 5).
  ['a space before the colon', get(`${HOST}X-A : b\r\n`), [400]],
  ['a field without a colon', get(`${HOST}X-A\r\n`), [400]],
  ['a field without a name', get(`${HOST}: b\r\n`), [400]],
  ['NUL in a value', get(`${HOST}X-A: a\0b\r\n`), [400]],
  ['NUL in a name', get(`${HOST}X\0A: b\r\n`), [400]],
  ['a folded value', get(`${HOST}X-A: a\r\n b\r\n`), [400]],
  ['a folded first field', get(` X-A: a\r\n${HOST}`), [400]],
  ['bare line feeds', get(HOST).replaceAll('\r\n', '\n'), [400]],
  ['a bare carriage return', get(`${HOST}X-A: a\rb\r\n`), [400]],
  ['a field of 20 kB', get(`${HOST}X-A: ${'a'.repeat(20_000)}\r\n`), [431]],
  ['eight thousand fields', get(HOST + 'X-A: b\r\n'.repeat(8_000)), [431]],
  ['a Host after two thousand fields', get(`${'A:\r\n'.repeat(2_200)}${HOST}`), [200]],
  // Where a message ends (section 6): what two servers may read in two ways.
  ['a length and chunks', post(`Content-Length: 5\r\n${CHUNKED}`, '0\r\n\r\n'), [400]],
  ['chunks and a length', post(`${CHUNKED}Content-Length: 5\r\n`, '0\r\n\r\n'), [400]],
  ['two lengths', post('Content-Length: 27\r\nContent-Length: 5\r\n', BODY), [400]],
  ['one length twice', post('Content-Length: 27\r\nContent-Length: 27\r\n', BODY), [400]],
  ['a list of lengths', post('Content-Length: 27, 27\r\n', BODY), [400]],
  ['a signed length', post('Content-Length: +27\r\n', BODY), [400]],
  ['a negative length', post('Content-Length: -1\r\n', BODY), [400]],
  ['a hexadecimal length', post('Content-Length: 0x1b\r\n', BODY), [400]],
  ['a length beyond all numbers', post(`Content-Length: ${'9'.repeat(30)}\r\n`, BODY), [400]],
  ['an unknown coding', post('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'), [400]],
  ['chunks that are not last', post('Transfer-Encoding: chunked, gzip\r\n', '0\r\n\r\n'), [400]],
  ['chunks and a vertical tab', post('Transfer-Encoding: chunked\x0b\r\n', '0\r\n\r\n'), [400]],
  ['a chunk without a size', post(CHUNKED, 'x\r\n'), [400]],
  ['a chunk of a negative size', post(CHUNKED, '-1\r\n'), [400]],
  ['a chunk of a size beyond all numbers', post(CHUNKED, `${'f'.repeat(20)}\r\n`), [400]],
  ['a chunk that is longer than it says', post(CHUNKED, `5\r\n${BODY}\r\n0\r\n\r\n`), [400]],
  ['a chunk with 20 kB of extensions', post(CHUNKED, `5;${'a'.repeat(20_000)}\r\n`), [413]],
  ['a trailer', post(CHUNKED, `${chunk(BODY)}0\r\nAuthorization: Basic eA==\r\n\r\n`), [200]],
  ['a request in the body of a GET', `${GET}${HOST}Content-Length: 46\r\n${END}${GET}`, [200]],
  ['two at once', `${GET}${HOST}\r\n${get(HOST, '/errors/none')}`, [200, 404]],
  ['one that is right and one that is not', `${GET}${HOST}\r\n${get('')}`, [200, 400]],
  // What is in it.
  ['a body that it says is too large', post('Content-Length: 70000\r\n', ''), [413]],
  ['a body that is too large', post(CHUNKED, chunk('x'.repeat(70_000))), [413]],
  ['JSON of no type', sized(BODY, ''), [415]],
  ['JSON as text', sized(BODY, 'Content-Type: text/plain\r\n'), [415]],
  ['JSON as a form', sized(BODY, 'Content-Type: application/x-www-form-urlencoded\r\n'), [415]],
  ['JSON of two types', sized(BODY, `Content-Type: text/plain\r\n${JSON_TYPE}`), [415]],
  ['JSON that is compressed', sized(BODY, `${JSON_TYPE}Content-Encoding: gzip\r\n`), [415]],
  ['bytes that are not UTF-8', sized(Buffer.from('7b22656d61696c223a22ff227d', 'hex')), [400]],
  ['half of a character', sized(Buffer.from('7b22656d61696c223a22c3227d', 'hex')), [400]],
  ['JSON in JSON in JSON', sized('['.repeat(30_000)), [400]],
  ['objects in objects', sized('{"a":'.repeat(10_000)), [400]],
  ['an expectation that nobody can meet', post('Expect: magic\r\nContent-Length: 27\r\n', BODY), [417]],
  ['an upgrade', get(`${HOST}Upgrade: websocket\r\n`).replace('close', 'upgrade, close'), [200]],
];
