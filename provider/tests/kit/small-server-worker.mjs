/** Stands for the server of a project: it starts in a moment, and does what the request says. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';

if (existsSync('fail')) {
  process.stderr.write(readFileSync('fail', 'utf8'));
  process.exit(1);
}
// One that never listens.
if (existsSync('hang')) await new Promise(() => setInterval(() => undefined, 1_000_000));
let waiting = 0;
let drops = 0;
const held = [];
const ROUTES = {
  '/exit': () => process.exit(3),
  '/break': (_, response) => {
    response.writeHead(200, { 'Content-Length': 1000 });
    response.write('half', () => process.exit(3));
  },
  // A connection that breaks before the reply, every other time.
  '/drop': (request, response) => {
    drops += 1;
    if (drops % 2 === 1) request.socket.destroy();
    else response.end(`at attempt ${drops}`);
  },
  '/stream': (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write('data: first\n\n');
    held.push(() => response.write('data: second\n\n'));
  },
  '/hold': (_, response) => held.push(() => response.end('held')),
  '/go': (_, response) => {
    for (const go of held.splice(0)) go();
    response.end('gone on');
  },
  '/large': (_, response) => response.end(Buffer.alloc(8_000_000, 'x')),
  '/waiting': (request, response) => {
    waiting = Number(request.url.split('=')[1]);
    response.end();
  },
};

const tell = async (request, response) => {
  let bytes = 0;
  try {
    for await (const part of request) bytes += part.length;
  } catch {
    return;
  }
  const { method, url, rawHeaders, headers } = request;
  const told = { project: basename(process.cwd()), pid: process.pid, method, url, rawHeaders, headers, bytes };
  response.writeHead(200, 'Fine', [
    'Content-Type',
    'application/json',
    'X-Twice',
    '1',
    'X-Twice',
    '2',
    'Connection',
    'X-Hop',
    'X-Hop',
    '1',
  ]);
  response.end(JSON.stringify(told));
};
const server = createServer((request, response) => {
  const act = ROUTES[request.url.split('?')[0]] ?? tell;
  void act(request, response);
}).listen(0, '127.0.0.1', () => {
  const metrics = createServer((_, response) => {
    response.end(`portico_outbox_messages{channel="email",state="waiting"} ${waiting}\n`);
  }).listen(0, '127.0.0.1', () => {
    writeFileSync('starts', `${existsSync('starts') ? readFileSync('starts', 'utf8') : ''}${process.pid}\n`);
    const left = existsSync('left')
      ? 'messages by email and sms wait in the table outbox for your own program, because\n'
      : '';
    process.stdout.write(
      `listening on http://localhost:${server.address().port}\nmetrics on http://127.0.0.1:${metrics.address().port}/metrics\n${left}`,
    );
  });
});
process.on('SIGHUP', () => process.stderr.write('{"message":"read again"}\n'));
process.on('SIGTERM', () => {
  server.close(() => process.exit(0));
});
process.on('disconnect', () => process.exit(0));
