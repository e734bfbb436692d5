import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { BOUNDS } from '#provider/operation/retention/bounds.ts';
import { EITHER_DATABASE, type Provider } from '../kit/harness.ts';
import { makeTarget } from './attacker.ts';
import { CREDENTIALS, HOLDS_NO_ACCESS } from './flows/credentials.ts';
import { bringAbout, endsTheSession, leavesNobody, PLAYED_TOGETHER } from './flows/endings.ts';
import { isDone, type StartedFlow, type Flow } from './flows/flow.ts';
import { CREDENTIAL_LINES, FLOW_LINES } from './flows/markdown.ts';
import { PARTIES, Stage, type PartyName } from './flows/people.ts';
import { FLOWS } from './flows/table.ts';
import { oneOf } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

// In soaks each case plays all flows, else a share of them, another one for each case.

/** Its tokens are signed by a command of the operator. */
const ISSUER = { profile_id: 'local', issuer: 'https://issuer.example', audience: 'portico-here' };
const FIRST_FACTOR: PartyName = 'the user, first factor only';
/** Whoever is signed in to another account begins the flows of that account. */
const BEGINNERS = PARTIES.filter((party) => party !== 'another user');

/** Flows that are played on one account: one that changes the account ends all others. */
const together = (flows: readonly Flow[]): readonly (readonly Flow[])[] => [
  flows.filter((flow) => flow.changesAccount !== true),
  ...flows.filter((flow) => flow.changesAccount).map((flow) => [flow]),
];
const names = (flows: readonly Flow[]): readonly string[] => flows.map(({ name }) => name).sort();
const beginnerOf = ({ beginner, begunBy }: Flow): PartyName => beginner ?? begunBy[0] ?? 'anyone';
const finisherOf = ({ finishedBy }: Flow): PartyName =>
  finishedBy === 'the holder' ? 'anyone' : (finishedBy[0] ?? 'anyone');

describe.each(EITHER_DATABASE)('the table of flows, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, { trusted_auth_token_profiles: [ISSUER] });
  });
  afterAll(() => provider.close());

  async function beginAll(stage: Stage, flows = FLOWS): Promise<readonly (readonly [Flow, StartedFlow])[]> {
    const begun: (readonly [Flow, StartedFlow])[] = [];
    for (const flow of flows) {
      const step = await flow.play(stage, stage.call(beginnerOf(flow)));
      expect(isDone(step.reply), `${flow.name} begins: ${JSON.stringify(step.reply.body)}`).toBe(true);
      begun.push([flow, step]);
    }
    return begun;
  }

  it.each(oneOf(2, BEGINNERS))('%s begins the listed flows only', async (party) => {
    const may: Flow[] = [];
    const flows = oneOf(12, FLOWS, BEGINNERS.indexOf(party));
    const stage = await Stage.build(provider, party === FIRST_FACTOR);
    for (const flow of flows) {
      const { reply } = await flow.play(stage, stage.call(party));
      if (isDone(reply)) may.push(flow);
    }
    expect(names(may)).toEqual(names(flows.filter(({ begunBy }) => begunBy.includes(party))));
  });

  it.each(oneOf(2, PARTIES, 1))('%s finishes the listed flows only', async (party) => {
    const may: Flow[] = [];
    // A user who has an authenticator app enrols no other.
    const flows = oneOf(12, FLOWS, PARTIES.indexOf(party)).filter(
      ({ oncePerUser }) => oncePerUser !== true || party !== FIRST_FACTOR,
    );
    for (const each of together(flows)) {
      const stage = await Stage.build(provider, party === FIRST_FACTOR);
      for (const [flow, begun] of await beginAll(stage, each)) {
        if (isDone(await begun.finish(stage.call(party)))) may.push(flow);
      }
    }
    const listed = flows.filter(
      ({ finishedBy, notFinishedBy }) =>
        (finishedBy === 'the holder' || finishedBy.includes(party)) && notFinishedBy?.includes(party) !== true,
    );
    expect(names(may)).toEqual(names(listed));
  });

  soakIt('each flow is used once, or until it ends', async () => {
    const once: Flow[] = [];
    for (const each of together(oneOf(6, FLOWS, 3))) {
      const stage = await Stage.build(provider);
      for (const [flow, begun] of await beginAll(stage, each)) {
        const finish = async () => isDone(await begun.finish(stage.call(finisherOf(flow))));
        expect(await finish(), flow.name).toBe(true);
        if (!(await finish())) once.push(flow);
      }
    }
    const listed = oneOf(6, FLOWS, 3).filter(({ endedBy }) => endedBy.includes('use'));
    expect(names(once)).toEqual(names(listed));
  });

  it.each(oneOf(2, PLAYED_TOGETHER))('%s ends the listed flows only', async (ending) => {
    const ended: Flow[] = [];
    const flows = oneOf(8, FLOWS, PLAYED_TOGETHER.indexOf(ending));
    for (const each of together(flows)) {
      const stage = await Stage.build(provider);
      const begun = await beginAll(stage, each);
      await bringAbout(ending, stage, Math.max(...FLOWS.map(({ lifetimeMs }) => lifetimeMs)));
      if (endsTheSession(ending) && !leavesNobody(ending)) await stage.signInAgain();
      for (const [flow, { finish }] of begun) {
        if (!isDone(await finish(stage.call(finisherOf(flow))))) ended.push(flow);
      }
    }
    const listed = flows.filter(({ endedBy }) => endedBy.includes(ending));
    expect(names(ended)).toEqual(names(listed));
  });

  soakIt('each flow ends when its time is over', async () => {
    const late: Flow[] = [];
    const stage = await Stage.build(provider);
    const begun = await beginAll(stage, oneOf(8, FLOWS, 1));
    const began = provider.clock.time;
    for (const [flow, { finish }] of [...begun].sort(([one], [other]) => one.lifetimeMs - other.lifetimeMs)) {
      const waited = provider.clock.time - began;
      await bringAbout('expiry', stage, Math.max(flow.lifetimeMs - waited, 0));
      await stage.signInAgain();
      if (isDone(await finish(stage.call(finisherOf(flow))))) late.push(flow);
    }
    expect(names(late)).toEqual([]);
  });
});

describe('the table of flows', () => {
  const page = readFileSync(join(ROOT, 'docs/threat-model.md'), 'utf8');

  it('has every table of the database in one of its lists', () => {
    const listed = [...FLOWS, ...CREDENTIALS].flatMap(({ tables }) => tables);
    const all = [...new Set<string>([...listed, ...Object.keys(HOLDS_NO_ACCESS)])];
    expect(all.sort()).toEqual(Object.keys(BOUNDS).sort());
    expect(Object.keys(HOLDS_NO_ACCESS).filter((table) => listed.some((each) => each === table))).toEqual([]);
  });

  it('is in the threat model, with tests that are there', () => {
    const lines = page.split('\n');
    expect([...FLOW_LINES, ...CREDENTIAL_LINES].filter((line) => !lines.includes(line))).toEqual([]);
    expect(CREDENTIALS.map(({ test }) => test).filter((test) => !existsSync(join(ROOT, test)))).toEqual([]);
  });
});
