import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a service knows about a token that a page obtained. */
export interface SolvedCaptcha {
  readonly hostname: string;
  readonly action?: string;
  readonly score?: number;
  readonly siteKey?: string;
  readonly expired?: boolean;
}

interface CaptchaRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const RECAPTCHA = /^\/v1\/projects\/([^/]+)\/assessments$/u;

/**
 * Stand-ins for reCAPTCHA Enterprise, Turnstile and hCaptcha on loopback. They answer as the services' documents say, and
 * accept each token once.
 */
export class CaptchaServices {
  readonly asked: CaptchaRequest[] = [];
  readonly siteKey = 'site-key';
  readonly secret = 'canary-secret';
  readonly project = 'shop-1234';
  /** Answers instead of the services, while it is set. */
  trouble: ((response: ServerResponse) => void) | null = null;
  private readonly tokens = new Map<string, SolvedCaptcha>();
  private readonly used = new Set<string>();
  private readonly server: Server = createServer((request, response) => void this.serve(request, response));
  private made = 0;

  async open(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** A token such as the services' scripts give to a page. */
  solve(solved: SolvedCaptcha): string {
    const token = `0.token-${(this.made += 1)}.x_Y-z`;
    this.tokens.set(token, solved);
    return token;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    let body = '';
    for await (const part of request) body += String(part);
    this.asked.push({ path, headers: request.headers, body });
    const type = (request.headers['content-type'] ?? '').split(';')[0];
    if (this.trouble !== null) this.trouble(response);
    else if (request.method !== 'POST') json(response, 405, {});
    else if (RECAPTCHA.test(path)) this.assessment(request, response, type === 'application/json' ? body : '');
    else if (path === '/turnstile/v0/siteverify' || path === '/siteverify') {
      this.siteverify(response, new URLSearchParams(type === 'application/x-www-form-urlencoded' ? body : ''), path);
    } else json(response, 404, {});
  }

  /** https://cloud.google.com/recaptcha/docs/reference/rest/v1/projects.assessments/create */
  private assessment({ url, headers }: IncomingMessage, response: ServerResponse, body: string): void {
    const refuse = (code: number, status: string, reason: string): void =>
      json(response, code, { error: { code, message: status, status, details: [{ reason }] } });
    if (headers['x-goog-api-key'] !== this.secret) return refuse(400, 'INVALID_ARGUMENT', 'API_KEY_INVALID');
    if (RECAPTCHA.exec(url ?? '')?.[1] !== this.project)
      return refuse(403, 'PERMISSION_DENIED', 'IAM_PERMISSION_DENIED');
    const { event } = JSON.parse(body || '{}') as { event?: { token?: string; siteKey?: string } };
    if (event?.token === undefined || event.siteKey === undefined) return refuse(400, 'INVALID_ARGUMENT', 'MISSING');
    const known = event.siteKey === this.siteKey ? this.tokens.get(event.token) : undefined;
    const invalidReason =
      known === undefined ? 'MALFORMED' : known.expired ? 'EXPIRED' : this.first(event.token) ? null : 'DUPE';
    if (known === undefined || invalidReason !== null) {
      return json(response, 200, { event, riskAnalysis: { score: 0, reasons: [] }, tokenProperties: { valid: false, invalidReason, hostname: '', action: '' } }); // prettier-ignore
    }
    const { hostname, action, score } = known;
    // Protocol buffers' JSON leaves a score of 0 out.
    const riskAnalysis = { reasons: [], ...(score ? { score } : {}) };
    return json(response, 200, {
      name: `projects/${this.project}/assessments/b6ac310000000000`,
      event,
      riskAnalysis,
      tokenProperties: { valid: true, hostname, action, createTime: '2030-01-01T00:00:00Z' },
    });
  }

  /** https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ and https://docs.hcaptcha.com/ */
  private siteverify(response: ServerResponse, form: URLSearchParams, path: string): void {
    const isTurnstile = path.startsWith('/turnstile');
    const refuse = (code: string): void => json(response, 200, { success: false, 'error-codes': [code] });
    const token = form.get('response') ?? '';
    if (!form.has('secret')) return refuse('missing-input-secret');
    if (form.get('secret') !== this.secret) return refuse('invalid-input-secret');
    if (token === '') return refuse('missing-input-response');
    const known = this.tokens.get(token);
    if (known === undefined) return refuse('invalid-input-response');
    const { hostname, action = '', siteKey = this.siteKey, expired } = known;
    if (!isTurnstile && form.has('sitekey') && form.get('sitekey') !== siteKey)
      return refuse('sitekey-secret-mismatch');
    if (expired === true || !this.first(token)) {
      return refuse(isTurnstile ? 'timeout-or-duplicate' : 'invalid-or-already-seen-response');
    }
    const common = { success: true, challenge_ts: '2030-01-01T00:00:00.000Z', hostname, 'error-codes': [] };
    return json(response, 200, isTurnstile ? { ...common, action, cdata: '', metadata: {} } : common);
  }

  private first(token: string): boolean {
    const first = !this.used.has(token);
    this.used.add(token);
    return first;
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
