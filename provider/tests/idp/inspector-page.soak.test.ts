import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../../examples/mcp/server.mjs';
import { ensureDeps } from '#scripts/ensure-deps.mjs';
import { documentHost, type DocumentHost } from '../kit/document-host.ts';
import { EITHER_DATABASE } from '../kit/harness.ts';
import { servedProvider, type ServedProvider } from '../kit/served-provider.ts';
import { CLIENTS, newerNode } from '../kit/watched-program.ts';
import { listen, stop } from './oidcc/subject.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const INSPECTOR = 'node_modules/@modelcontextprotocol/inspector/clients/web/build/index.js';
const SCOPES = ['notes:read', 'notes:write'];
const WAYS = ['registration', 'metadata document'] as const;

/** The web page of the MCP inspector, as it is, which signs in by leaving for the provider and coming back. */
describe.runIf(existsSync(CHROMIUM)).each(EITHER_DATABASE)('the page of the MCP inspector, on %s', (_, url) => {
  let op: ServedProvider;
  let documents: DocumentHost;
  let server: Server;
  let browser: Browser;
  let folder: string;
  let notes: string;
  beforeAll(async () => {
    await ensureDeps(CLIENTS);
    const [{ chromium }, site] = await Promise.all([import('playwright'), listen()]);
    documents = await documentHost();
    folder = mkdtempSync(join(tmpdir(), 'portico-inspector-'));
    notes = `${site.issuer.origin}/mcp`;
    ({ server } = site);
    op = await servedProvider(url, () => ({
      resources: [{ resource: notes, scopes: SCOPES }],
      rbac_policy: { scopes: SCOPES.map((scope) => ({ scope, description: scope })) },
      role_assignments: [],
      clients: [],
      agents: { registration: 'open', metadata_documents: true, scopes: ['openid', ...SCOPES, 'offline_access'] },
    }));
    site.answer(createApp({ issuer: op.issuer, resource: notes }));
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
    await Promise.all([stop(server), op.close(), documents.close()]);
  });

  /** Starts the program that serves the page. */
  const serve = async (): Promise<{ readonly child: ChildProcess; readonly address: URL }> => {
    const [web, app, sandbox] = await Promise.all([getPort(), getPort(), getPort()]);
    const home = mkdtempSync(join(folder, 'home-'));
    const ports = { CLIENT_PORT: `${web}`, MCP_APP_ORIGIN_PORT: `${app}`, MCP_SANDBOX_PORT: `${sandbox}` };
    const alone = { HOME: home, BROWSER: 'true', MCP_AUTO_OPEN_ENABLED: 'false', MCP_INSPECTOR_SECRET_STORE: 'file' };
    const child = spawn(newerNode(), [INSPECTOR, '--server-url', notes, '--transport', 'http'], {
      cwd: CLIENTS,
      env: { ...process.env, ...ports, ...alone },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    const printed = await vi.waitFor(() => {
      const [address] = /http:\/\/127\.0\.0\.1:\d+\S*API_TOKEN=\w+/u.exec(output) ?? [];
      expect(address, output).toBeDefined();
      return address ?? '';
    });
    return { child, address: new URL(printed) };
  };

  const useDocument = async (page: Page, origin: string): Promise<void> => {
    const metadata = {
      redirect_uris: [`${origin}/oauth/callback`],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
    await page.getByRole('button', { name: 'Client settings' }).click();
    const settings = page.getByRole('dialog');
    await settings.getByText('OAuth Client ID Metadata Document').click();
    // The switch lies below its drawing, where no pointer reaches it.
    await settings.getByLabel('Use Client ID Metadata Document').dispatchEvent('click');
    // It is stored a moment after it was typed, and read from there by the connection.
    const stored = page.waitForResponse(
      (reply) => reply.ok() && reply.request().postData()?.includes('/page.json') === true,
    );
    await settings.getByLabel('Client ID metadata document URL').fill(documents.publish('/page.json', metadata));
    await stored;
    await page.keyboard.press('Escape');
    await settings.waitFor({ state: 'hidden' });
  };
  const callTool = async (page: Page, name: string, note?: string): Promise<void> => {
    await page.getByText(name, { exact: true }).first().click();
    if (note !== undefined) await page.getByRole('textbox', { name: 'note' }).fill(note);
    await page.getByRole('button', { name: 'Execute Tool' }).click();
  };

  it.each(WAYS)('signs in by %s, lists the tools, calls one, and gets more for another', async (way) => {
    const { child, address } = await serve();
    const page = await browser.newPage();
    try {
      const visits: URL[] = [];
      page.on('request', (request) => {
        const at = new URL(request.url());
        if (at.href.startsWith(`${op.issuer}/oauth2/authorize`)) visits.push(at);
      });
      await page.goto(address.href);
      if (way === 'metadata document') await useDocument(page, address.origin);
      await page.getByText('Disconnected').waitFor();
      await page.getByRole('switch').first().dispatchEvent('click');
      await page.getByText('Authorization complete').waitFor();
      await page.getByText('Tools', { exact: true }).first().click();
      const note = `By ${way}`;
      await callTool(page, 'add_note', note);
      await page.getByRole('button', { name: 'Authorize', exact: true }).click();
      await page.getByText('Step-up authorization succeeded.').waitFor();
      await callTool(page, 'add_note', note);
      await page.getByText('Added.', { exact: true }).waitFor();
      await callTool(page, 'list_notes');
      await page.getByText(note).waitFor();
      const ids = visits.map(({ searchParams }) => searchParams.get('client_id') ?? '');
      expect(new Set(ids).size).toBe(1);
      expect(ids[0]).toMatch(way === 'registration' ? /^agent-/u : /^http:.*page\.json$/u);
      expect(visits.map(({ searchParams }) => searchParams.get('resource'))).toEqual([notes, notes]);
      expect(visits[1]?.searchParams.get('scope')?.split(' ')).toEqual(expect.arrayContaining(SCOPES));
    } finally {
      await page.close();
      child.kill();
      await once(child, 'exit');
    }
  });
});
