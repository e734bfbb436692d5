import { HOST } from './front-proxies.ts';
import { basic, PUBLIC_TOKEN } from './harness.ts';
import { PAGE } from './proxied-server.ts';

/** What must never arrive as a request of its own: a path that the proxies keep out. */
export const HIDDEN = '/v1/users/smuggled';
export const HIDDEN_REQUEST = `GET ${HIDDEN} HTTP/1.1\r\nHost: ${HOST}\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n`;
export const BODY = '{"email":"raw@example.com"}';
const AUTHORIZATION = `Authorization: ${basic(PUBLIC_TOKEN, PUBLIC_TOKEN)}\r\n`;
export const START = `POST /sdk/v1/users/search HTTP/1.1\r\nHost: ${HOST}\r\n${AUTHORIZATION}Origin: ${PAGE}\r\nContent-Type: application/json\r\n`;
const hex = (text: string): string => text.length.toString(16);
const LAST_CHUNK = '0\r\n\r\n';
const ALL_CHUNKS = `${BODY.length.toString(16)}\r\n${BODY}\r\n${LAST_CHUNK}`;

/** A body that ends for who reads chunks before it ends for who reads the length. */
const lengthAndChunks = (coding: string, length: string): string =>
  `${START}${coding}${length}\r\n${ALL_CHUNKS}${HIDDEN_REQUEST}`;
const LONG = `Content-Length: ${ALL_CHUNKS.length + HIDDEN_REQUEST.length}\r\n`;
const SHORT = `Content-Length: ${hex(BODY).length + 2}\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
/** A body that ends for who reads the length before it ends for who reads chunks. */
const chunksAndLength = (coding: string, length: string): string =>
  `${START}${length}${coding}\r\n${hex(HIDDEN_REQUEST)}\r\n${HIDDEN_REQUEST}\r\n${LAST_CHUNK}`;

export const CODINGS: readonly (readonly [string, string])[] = [
  ['plain', CHUNKED],
  ['twice', CHUNKED + CHUNKED],
  ['with identity', 'Transfer-Encoding: chunked, identity\r\n'],
  ['identity, and then chunked', 'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n'],
  ['and then identity', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n'],
  ['of an unknown kind', 'Transfer-Encoding: xchunked\r\n'],
  ['gzip', 'Transfer-Encoding: gzip\r\n'],
  ['before a space', 'Transfer-Encoding : chunked\r\n'],
  ['after a tab', 'Transfer-Encoding:\tchunked\r\n'],
  ['before a vertical tab', 'Transfer-Encoding: chunked\x0b\r\n'],
  ['folded', 'Transfer-Encoding:\r\n chunked\r\n'],
  ['behind a folded header', 'X-A: b\r\n Transfer-Encoding: chunked\r\n'],
  ['behind a bare LF', 'X-A: b\nTransfer-Encoding: chunked\r\n'],
  ['behind a bare CR', 'X-A: b\rTransfer-Encoding: chunked\r\n'],
  ['in quotes', 'Transfer-Encoding: "chunked"\r\n'],
  ['with an underscore', 'Transfer_Encoding: chunked\r\n'],
  ['in capitals', 'TRANSFER-ENCODING: CHUNKED\r\n'],
  ['after a NUL', 'X-A: \0\r\nTransfer-Encoding: chunked\r\n'],
  ['listed as of this hop', 'Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked\r\n'],
];

export const LENGTHS: readonly (readonly [string, string])[] = [
  ['different', `Content-Length: ${BODY.length}\r\nContent-Length: ${BODY.length + HIDDEN_REQUEST.length}\r\n`],
  [
    'different, the other way round',
    `Content-Length: ${BODY.length + HIDDEN_REQUEST.length}\r\nContent-Length: ${BODY.length}\r\n`,
  ],
  ['in a list', `Content-Length: ${BODY.length}, ${BODY.length + HIDDEN_REQUEST.length}\r\n`],
  ['with a sign', `Content-Length: +${BODY.length}\r\n`],
  [
    'with an underscore',
    `Content_Length: ${BODY.length + HIDDEN_REQUEST.length}\r\nContent-Length: ${BODY.length}\r\n`,
  ],
  ['before a space', `Content-Length : ${BODY.length + HIDDEN_REQUEST.length}\r\nContent-Length: ${BODY.length}\r\n`],
  ['hexadecimal', `Content-Length: 0x${hex(BODY)}\r\n`],
  ['none', ''],
  ['listed as of this hop', `Connection: Content-Length\r\nContent-Length: ${BODY.length}\r\n`],
  ['beyond all numbers', `Content-Length: 18446744073709551643\r\n`],
];

const chunks = (body: string): string => `${START}${CHUNKED}\r\n${body}${HIDDEN_REQUEST}`;
export const CHUNK_TRICKS: readonly (readonly [string, string])[] = [
  ['an extension', chunks(`${hex(BODY)};a=b\r\n${BODY}\r\n${LAST_CHUNK}`)],
  ['an extension with a line feed', chunks(`${hex(BODY)};\n${BODY}\r\n${LAST_CHUNK}`)],
  ['an extension with a carriage return', chunks(`${hex(BODY)};a\r${BODY}\r\n${LAST_CHUNK}`)],
  ['a last chunk with an extension', chunks(`${hex(BODY)}\r\n${BODY}\r\n0;\r\n\r\n`)],
  ['a size beyond all numbers', chunks(`1${'0'.repeat(16)}${hex(BODY)}\r\n${BODY}\r\n${LAST_CHUNK}`)],
  ['a size with a sign', chunks(`+${hex(BODY)}\r\n${BODY}\r\n${LAST_CHUNK}`)],
  ['a size with a prefix', chunks(`0x${hex(BODY)}\r\n${BODY}\r\n${LAST_CHUNK}`)],
  ['a size before a space', chunks(`${hex(BODY)} \r\n${BODY}\r\n${LAST_CHUNK}`)],
  ['sizes that end at a line feed', chunks(`${hex(BODY)}\n${BODY}\n0\n\n`)],
  ['an end at a bare line feed', chunks(`${hex(BODY)}\r\n${BODY}\r\n0\r\n\n`)],
  ['bytes after a chunk', chunks(`${hex(BODY)}\r\n${BODY}xx${LAST_CHUNK}`)],
  ['a request as a trailer', `${START}${CHUNKED}\r\n${hex(BODY)}\r\n${BODY}\r\n0\r\n${HIDDEN_REQUEST}`],
  [
    'a trailer that is a header',
    chunks(`${hex(BODY)}\r\n${BODY}\r\n0\r\nX-Forwarded-For: 203.0.113.9\r\nContent-Length: 5\r\n\r\n`),
  ],
];

const line = (text: string): string => `${text}\r\nHost: ${HOST}\r\n\r\n`;
export const LINES: readonly (readonly [string, string])[] = [
  ['HTTP/0.9', `GET ${HIDDEN}\r\n`],
  ['HTTP/0.9 with a path that is public', 'GET /errors/none\r\n'],
  ['HTTP/1.0 without a Host', 'GET /errors/none HTTP/1.0\r\n\r\n'],
  ['a target with a host', line(`GET http://${HOST}${HIDDEN} HTTP/1.1`)],
  ['a target with another host', line(`GET http://evil.example/errors/none HTTP/1.1`)],
  ['a target with a host and no path', line(`GET http://${HOST}?/sdk/v1/ HTTP/1.1`)],
  ['a target with a user', line(`GET http://a@${HOST}/errors/none HTTP/1.1`)],
  ['a target of another scheme', line('GET file:///sdk/v1/x HTTP/1.1')],
  ['an authority', line(`CONNECT ${HOST}:443 HTTP/1.1`)],
  ['an asterisk', line('OPTIONS * HTTP/1.1')],
  ['two spaces', line(`GET  ${HIDDEN} HTTP/1.1`)],
  ['a tab', line(`GET\t${HIDDEN}\tHTTP/1.1`)],
  ['a line feed in the target', line(`GET /errors/none\n${HIDDEN} HTTP/1.1`)],
  ['two targets', line(`GET /errors/none ${HIDDEN} HTTP/1.1`)],
  ['a lower-case method', line(`get ${HIDDEN} HTTP/1.1`)],
  ['a fragment', line(`GET /v1/users/smuggled#/../../sdk/v1/x HTTP/1.1`)],
  [
    'another protocol of the server',
    line(
      `GET /errors/none HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__`,
    ) + HIDDEN_REQUEST,
  ],
  [
    'a websocket',
    line(
      `GET /errors/none HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==`,
    ) + HIDDEN_REQUEST,
  ],
  ['an expectation', `${START}Expect: 100-continue\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}${HIDDEN_REQUEST}`],
];

/** Spellings that some server takes for a path under `/v1/users`. */
export const PATHS = [
  '/v1/public/..%2fusers/smuggled',
  '/v1/public/..%5cusers/smuggled',
  '/v1/public/%2e%2e%2fusers/smuggled',
  '/v1/public/%2E%2E/users/smuggled',
  '/v1/public/..;/users/smuggled',
  '/v1/public;/../users/smuggled',
  '/v1/public/.././users/smuggled',
  '/v1/users/smuggled/../../public/x',
  '/v1/users/smuggled%2f..%2f..%2fpublic%2f',
  '/v1/users/smuggled%2f%2e%2e%2f%2e%2e%2fpublic%2f',
  '/v1/users/smuggled%5c..%5c..%5cpublic%5c',
  '/v1/users/smuggled/..%2f..%2f..%2fsdk/v1/',
  '/v1/users/smuggled%3f/../../public/',
  '/v1/users/smuggled%23/../../public/',
  '/v1/users/smuggled%00/../../public/',
  '/v1/users/smuggled%0a/../../public/',
  '/v1/users/smuggled%0d%0a%0d%0a/../../public/',
  '/v1//users/smuggled',
  '//v1/users/smuggled',
  '/./v1/users/smuggled',
  '/v1/./users/smuggled',
  '/sdk/../v1/users/smuggled',
  '/sdk/v1//../../v1/users/smuggled',
  '/sdk/v1/%2e%2e%2f%2e%2e%2fv1/users/smuggled',
  '/sdk/v1/..%252f..%252fv1/users/smuggled',
  '/sdk/v1/..%c0%af..%c0%afv1/users/smuggled',
  '/sdk/v1/\\..\\..\\v1\\users\\smuggled',
  '/SDK/V1/../../v1/users/smuggled',
  '/V1/Users/smuggled',
  '/%76%31/users/smuggled',
  '/v1%2fusers%2fsmuggled',
  '/v1%2fpublic/../users/smuggled',
  '/.well-known/../v1/users/smuggled',
  '/errors/..%2f..%2fv1/users/smuggled',
  '/oauth2/;/../../v1/users/smuggled',
  '/v1/public/?/../../v1/users/smuggled',
  '/sdk/v1/x#/../../../v1/users/smuggled',
  '/v1/users/smuggled?/v1/public/',
  '/v1\\public/../users/smuggled',
  '/\tv1/users/smuggled',
  '/v1/users/smuggled /v1/public/',
];

export const FORGED = '203.0.113.9';
export const FORGED_HEADERS: readonly (readonly [string, string])[] = [
  ['X-Forwarded-For', `X-Forwarded-For: ${FORGED}\r\n`],
  ['a list', `X-Forwarded-For: ${FORGED}, 127.0.0.1, ::1\r\n`],
  ['two of them', `X-Forwarded-For: ${FORGED}\r\nX-Forwarded-For: 127.0.0.1\r\n`],
  ['small letters', `x-forwarded-for: ${FORGED}\r\n`],
  ['underscores', `X_Forwarded_For: ${FORGED}\r\nx_forwarded_proto: http\r\n`],
  ['Forwarded', `Forwarded: for=${FORGED};proto=http;host=evil.example\r\n`],
  [
    'headers of other services',
    `X-Real-IP: ${FORGED}\r\nTrue-Client-IP: ${FORGED}\r\nCF-Connecting-IP: ${FORGED}\r\nX-Client-IP: ${FORGED}\r\nX-Cluster-Client-IP: ${FORGED}\r\n`,
  ],
  [
    'a header that is of this hop',
    `Connection: close, X-Forwarded-For, X-Forwarded-Proto, X-Forwarded-Host\r\nX-Forwarded-For: ${FORGED}\r\n`,
  ],
  ['a header that is of this hop and absent', `Connection: X-Forwarded-For\r\n`],
  [
    'a header of a proxy',
    `Proxy-Connection: X-Forwarded-For\r\nKeep-Alive: X-Forwarded-For\r\nX-Forwarded-For: ${FORGED}\r\n`,
  ],
  ['X-Forwarded-Host', `X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: http\r\nX-Forwarded-Port: 80\r\n`],
  ['an empty one', `X-Forwarded-For:\r\nX-Forwarded-For: ${FORGED}\r\n`],
  ['a long one', `X-Forwarded-For: ${`${FORGED}, `.repeat(200)}127.0.0.1\r\n`],
];

/** The header fields of a request by HTTP/2. */
export const H2 = (
  path: string,
  ...more: readonly (readonly [string, string])[]
): readonly (readonly [string, string])[] => [
  [':method', 'POST'],
  [':scheme', 'https'],
  [':authority', HOST],
  [':path', path],
  ['authorization', basic(PUBLIC_TOKEN, PUBLIC_TOKEN)],
  ['origin', PAGE],
  ['content-type', 'application/json'],
  ...more,
];
export const SEARCH = '/sdk/v1/users/search';
export const DOWNGRADES: readonly (readonly [string, readonly (readonly [string, string])[], string])[] = [
  ['a length that is too short', H2(SEARCH, ['content-length', String(BODY.length)]), BODY + HIDDEN_REQUEST],
  ['a length of nothing', H2(SEARCH, ['content-length', '0']), HIDDEN_REQUEST],
  [
    'two lengths',
    H2(SEARCH, ['content-length', '0'], ['content-length', String(HIDDEN_REQUEST.length)]),
    HIDDEN_REQUEST,
  ],
  ['chunks', H2(SEARCH, ['transfer-encoding', 'chunked']), LAST_CHUNK + HIDDEN_REQUEST],
  ['a line break in a value', H2(SEARCH, ['x-a', `b\r\n\r\n${HIDDEN_REQUEST}`]), BODY],
  ['a line feed in a value', H2(SEARCH, ['x-a', 'b\nTransfer-Encoding: chunked']), LAST_CHUNK + HIDDEN_REQUEST],
  ['a line break in a name', H2(SEARCH, ['x-a: b\r\ntransfer-encoding', 'chunked']), LAST_CHUNK + HIDDEN_REQUEST],
  ['a colon in a name', H2(SEARCH, ['transfer-encoding: chunked\r\nx', 'y']), LAST_CHUNK + HIDDEN_REQUEST],
  ['a NUL in a value', H2(SEARCH, ['x-forwarded-for', `${FORGED}\0`]), BODY],
  ['a capital letter in a name', H2(SEARCH, ['Transfer-Encoding', 'chunked']), LAST_CHUNK + HIDDEN_REQUEST],
  ['a line break in the path', H2(`${SEARCH} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n${HIDDEN_REQUEST}`), BODY],
  ['a space in the path', H2(`${HIDDEN} HTTP/1.1`), BODY],
  ['a path that is hidden', H2(HIDDEN), BODY],
  ['a path with a host', H2(`http://evil.example${SEARCH}`), BODY],
  ['an asterisk', H2('*'), BODY],
  ['no path', H2(''), BODY],
  ['a path that does not begin with a slash', H2(`..${HIDDEN}`), BODY],
  [
    'a line break in the method',
    [[':method', `GET ${HIDDEN} HTTP/1.1\r\nHost: ${HOST}\r\n\r\nPOST`], ...H2(SEARCH).slice(1)],
    BODY,
  ],
  [
    'a line break in the authority',
    [...H2(SEARCH).slice(0, 2), [':authority', `${HOST}\r\n\r\n${HIDDEN_REQUEST}`], ...H2(SEARCH).slice(3)],
    BODY,
  ],
  [
    'a scheme with a path',
    [[':method', 'POST'], [':scheme', `http://${HOST}${HIDDEN}?`], ...H2(SEARCH).slice(2)],
    BODY,
  ],
  ['two paths', H2(SEARCH, [':path', HIDDEN]), BODY],
  ['another Host', H2(SEARCH, ['host', 'evil.example']), BODY],
  ['a header of the hop', H2(SEARCH, ['connection', 'x-forwarded-for']), BODY],
  ['an upgrade', H2(SEARCH, ['upgrade', 'h2c'], ['http2-settings', 'AAMAAABkAAQAAP__']), BODY],
  ['forged addresses', H2(SEARCH, ['x-forwarded-for', FORGED], ['forwarded', `for=${FORGED}`]), BODY],
];

/** Requests with this coding and a length, whose readers do not agree where the body ends. */
export const lengthsAndChunks = (coding: string): readonly string[] => [
  lengthAndChunks(coding, LONG),
  lengthAndChunks(coding, SHORT),
  chunksAndLength(coding, SHORT),
];
