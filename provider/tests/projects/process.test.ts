import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closeRouters, smallRouter } from '../kit/small-router.ts';
import { soakIt } from '#tests/soak-tests.ts';

afterEach(closeRouters);

const STOPPED = 'the server of a project stopped';

describe('the servers of a router', () => {
  it('start with the first request, once for all that come meanwhile', async () => {
    const router = await smallRouter();
    expect(router.fleet.states.map(({ isRunning }) => isRunning)).toEqual([false, false]);
    const replies = await Promise.all(Array.from({ length: 50 }, () => router.ask('shop')));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(router.starts('shop')).toHaveLength(1);
    expect(router.starts('blog')).toEqual([]);
    expect(await router.metrics()).toContain('portico_router_waits_total{project="shop",outcome="served"} 50');
    expect(await router.metrics()).toContain('portico_router_project_running{project="blog"} 0');
  });

  soakIt('stop when no request comes, and lose none that comes while they stop', async () => {
    const router = await smallRouter({ idleMs: 1 });
    // With one millisecond of patience, the next request meets a server that stops.
    for (let round = 0; round < 6; round += 1) {
      const replies = await Promise.all([router.ask('shop'), router.ask('shop')]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    }
    // On a busy machine no round leaves the server alone for long enough.
    await vi.waitFor(() => expect(router.said('shop')).toContain(STOPPED));
    expect(router.said('shop')).not.toContain('the server of a project ended by itself');
  });

  soakIt('stay while a reply is under way or messages wait', async () => {
    const router = await smallRouter({ idleMs: 1 });
    const held = router.ask('shop', '/hold');
    await router.ask('shop', '/waiting?n=2');
    await router.ask('shop', '/go');
    expect((await held).text).toBe('held');
    await router.ask('blog');
    await vi.waitFor(() => expect(router.said('blog')).toContain(STOPPED));
    expect(router.said('shop')).not.toContain(STOPPED);
    await router.ask('shop', '/waiting?n=0');
    await vi.waitFor(() => expect(router.said('shop')).toContain(STOPPED));
  });

  it('do not stay for messages that the operator’s own program delivers', async () => {
    const router = await smallRouter({ idleMs: 1 });
    writeFileSync(join(router.root, 'shop', 'left'), '');
    await router.ask('shop', '/waiting?n=2');
    await vi.waitFor(() => expect(router.said('shop')).toContain(STOPPED));
  });

  soakIt('are at most as many as the option says: the one that was idle longest makes room', async () => {
    const router = await smallRouter({ most: 2, projects: ['a', 'b', 'c', 'd'] });
    const running = (): string =>
      router.fleet.states
        .filter(({ isRunning }) => isRunning)
        .map(({ project }) => project)
        .join('');
    await router.ask('a');
    await router.ask('b');
    await router.ask('a');
    await router.ask('c');
    expect(running()).toBe('ac');
    // One with messages makes room only if there is no other.
    await router.ask('a', '/waiting?n=1');
    await router.ask('c');
    await router.ask('a');
    await router.ask('b');
    expect(running()).toBe('ab');
    await router.ask('b', '/waiting?n=1');
    const replies = await Promise.all(['c', 'd', 'c', 'd'].map((name) => router.ask(name)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(running()).toBe('cd');
  });

  it('are not stopped in the middle of a request: who needs their place waits for it', async () => {
    const router = await smallRouter({ most: 1 });
    await router.ask('shop');
    const held = router.ask('shop', '/hold');
    const waiting = router.ask('blog');
    // Until it has a place, there is no way to another one than to end what is held.
    await router.ask('shop', '/go');
    expect((await held).text).toBe('held');
    expect((await waiting).status).toBe(200);
    expect(router.starts('shop')).toHaveLength(1);
  });

  it('leave a request without an answer for a limited time: it gets 503 with Retry-After, and stops nothing', async () => {
    const router = await smallRouter({ most: 1, waitMs: 1, keep: ['shop'] });
    await vi.waitFor(() => expect(router.fleet.states).toContainEqual({ project: 'shop', isRunning: true }));
    const refused = await router.ask('blog');
    expect(refused.status).toBe(503);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await router.ask('shop')).status).toBe(200);
    expect(await router.metrics()).toContain('portico_router_waits_total{project="blog",outcome="refused"} 1');
    expect(router.starts('blog')).toEqual([]);
  });

  soakIt('run always where they are to be kept', async () => {
    const router = await smallRouter({ keep: ['shop'], most: 2, idleMs: 1, projects: ['shop', 'blog', 'news'] });
    await vi.waitFor(() => expect(router.starts('shop')).toHaveLength(1));
    await router.ask('blog');
    await router.ask('news');
    await vi.waitFor(() => expect(router.said('news')).toContain(STOPPED));
    await expect(router.ask('shop', '/break')).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(router.starts('shop')).toHaveLength(2));
    expect(router.said('shop')).not.toContain(STOPPED);
  });

  soakIt('are woken without a request, one after the other', async () => {
    const router = await smallRouter({ wakeMs: 5, stayMs: 1, most: 1 });
    await vi.waitFor(() => {
      expect(router.starts('shop').length).toBeGreaterThan(1);
      expect(router.starts('blog').length).toBeGreaterThan(1);
    });
  });

  it('start again after a crash, later after each further one, and leave the others alone', async () => {
    const router = await smallRouter({ restMs: 100_000, waitMs: 200_000 });
    await Promise.all([router.ask('shop'), router.ask('blog')]);
    await router.ask('shop', '/exit', { method: 'POST' });
    // The next start is due in 100 seconds at most: one that can wait so long does.
    const waiting = router.ask('shop').catch((error: Error) => error.message);
    expect((await router.ask('blog')).status).toBe(200);
    expect(router.starts('blog')).toHaveLength(1);
    const ended = { project: 'shop', message: 'the server of a project ended by itself', exit: 3, retry_ms: 60_000 };
    await vi.waitFor(() => expect(router.logged).toContainEqual(expect.objectContaining(ended)));
    await router.close();
    expect(await waiting).toBeDefined();
  });

  soakIt('are replaced when they stand still', async () => {
    const router = await smallRouter({ answerMs: 100 });
    expect((await router.ask('shop', '/hold')).status).toBe(503);
    await vi.waitFor(async () => expect((await router.ask('shop', '/go')).status).toBe(200));
    expect(router.starts('shop').length).toBeGreaterThan(1);
    expect(router.said('shop')).toContain('the server of a project ended by itself');
  });

  soakIt('name what keeps them from starting, and are tried again', async () => {
    const router = await smallRouter({ restMs: 20, waitMs: 100_000 });
    writeFileSync(join(router.root, 'shop', 'fail'), 'The field is wrong.\n');
    const waiting = router.ask('shop');
    await vi.waitFor(() => expect(router.said('shop')).toContain('the server of a project did not start'));
    expect(router.said('shop')).toContain('The field is wrong.');
    expect((await router.ask('blog')).status).toBe(200);
    rmSync(join(router.root, 'shop', 'fail'));
    expect((await waiting).status).toBe(200);
  });

  soakIt('that the system cannot start are tried again later, and leave the others alone', async () => {
    const router = await smallRouter({ restMs: 100_000, waitMs: 5_000 });
    // More than the system passes to a process.
    const path = join(router.root, 'shop', 'portico.env');
    writeFileSync(path, `LARGE=${'x'.repeat(1_000_000)}\n`);
    router.fleet.reload();
    expect((await router.ask('shop')).status).toBe(503);
    expect(router.logged).toContainEqual(
      expect.objectContaining({ project: 'shop', message: 'the server of a project did not start', retry_ms: 60_000 }),
    );
    expect((await router.ask('blog')).status).toBe(200);
    rmSync(path);
    router.fleet.reload();
    expect((await router.ask('shop')).status).toBe(200);
  });

  it('answer at once with 503 where the next start is later than a request waits', async () => {
    const router = await smallRouter({ restMs: 100_000, waitMs: 5_000 });
    await router.ask('shop');
    await router.ask('shop', '/exit', { method: 'POST' });
    await vi.waitFor(() => expect(router.said('shop')).toContain('the server of a project ended by itself'));
    const { status, headers } = await router.ask('shop');
    expect(status).toBe(503);
    expect(Number(headers['retry-after'])).toBeGreaterThan(50);
  });
});
