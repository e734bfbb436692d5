import { suite, type TestRunner } from '../runner.ts';
import { HOUR, MINUTE_MS, openClient, refusalOf, type MakeFlowWorld } from './world.ts';

/** Logging in by an emailed link, with and without a proof key (specification, section 4; RFC 7636). */
export function magicLinkFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `link login: ${name}`,
    () => makeWorld({ pkceRequired: false }),
    (test) => {
      test('signs in, in whatever browser the link is opened', async (world) => {
        const ada = world.address('ada');
        const asking = openClient(world, world.newBrowser());
        const opening = openClient(world, world.newBrowser());
        await asking.magicLinks.email.loginOrCreate(ada);
        const reply = await opening.magicLinks.authenticate(await world.tokenFor(ada), HOUR);
        expect(opening.session.getSync()).toEqual(reply.session);
        expect(asking.session.getSync()).toBe(null);
        asking.destroy();
        opening.destroy();
      });

      test('refuses a link that was used, that expired, or that never was', async (world) => {
        const ada = world.address('ada');
        const client = openClient(world, world.newBrowser());
        await client.magicLinks.email.loginOrCreate(ada);
        const token = await world.tokenFor(ada);
        await client.magicLinks.authenticate(token, HOUR);
        expect(await refusalOf(client.magicLinks.authenticate(token, HOUR))).toBe('unable_to_auth_magic_link');
        await client.magicLinks.email.loginOrCreate(ada, { login_expiration_minutes: 5 });
        world.passTime(5 * MINUTE_MS + 1);
        expect(await refusalOf(client.magicLinks.authenticate(await world.tokenFor(ada), HOUR))).toBe(
          'unable_to_auth_magic_link',
        );
        expect(await refusalOf(client.magicLinks.authenticate('nonsense', HOUR))).toBe('unable_to_auth_magic_link');
        client.destroy();
      });
    },
  );

  suite(
    { describe, it, expect },
    `link login with a proof key: ${name}`,
    () => makeWorld({ pkceRequired: true }),
    (test) => {
      test('signs in where it began, after a reload too', async (world) => {
        const ada = world.address('ada');
        const browser = world.newBrowser();
        const asking = openClient(world, browser);
        await asking.magicLinks.email.loginOrCreate(ada);
        asking.destroy();
        const opening = openClient(world, browser);
        await opening.magicLinks.authenticate(await world.tokenFor(ada), HOUR);
        expect(opening.session.getSync() === null).toBe(false);
        opening.destroy();
      });

      test('signs in by the first of two emails, and by the second after it', async (world) => {
        const ada = world.address('ada');
        const browser = world.newBrowser();
        const asking = openClient(world, browser);
        // The first proof of an address ends what was on its way there; later links leave each other alone.
        await asking.magicLinks.email.loginOrCreate(ada);
        await asking.magicLinks.authenticate(await world.tokenFor(ada), HOUR);
        await asking.magicLinks.email.loginOrCreate(ada);
        const first = await world.tokenFor(ada);
        await asking.magicLinks.email.loginOrCreate(ada);
        const second = await world.tokenFor(ada);
        asking.destroy();
        const opening = openClient(world, browser);
        await opening.magicLinks.authenticate(first, HOUR);
        await opening.magicLinks.authenticate(second, HOUR);
        opening.destroy();
      });

      test('is refused in another browser, and is not spent by that', async (world) => {
        const ada = world.address('ada');
        const asking = openClient(world, world.newBrowser());
        const other = openClient(world, world.newBrowser());
        await asking.magicLinks.email.loginOrCreate(ada);
        const token = await world.tokenFor(ada);
        expect(await refusalOf(other.magicLinks.authenticate(token, HOUR))).toBe('pkce_expected_code_verifier');
        await other.magicLinks.email.loginOrCreate(world.address('eve'));
        expect(await refusalOf(other.magicLinks.authenticate(token, HOUR))).toBe('pkce_mismatch');
        expect(other.session.getSync()).toBe(null);
        await asking.magicLinks.authenticate(token, HOUR);
        asking.destroy();
        other.destroy();
      });
    },
  );
}
