import { suite, type TestRunner } from '../runner.ts';
import { HOUR, openTab, refusalOf, signedIn, type MakeFlowWorld } from './world.ts';

/** Links to known addresses, and links that add an address (specification, section 7). */
export function magicLinkSendFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `sending links: ${name}`,
    () => makeWorld({}),
    (test) => {
      test('reaches a known address, and tells of an unknown one', async (world) => {
        const ada = world.address('ada');
        const { client: before } = await signedIn(world, ada);
        const { client } = openTab(world);
        expect(await refusalOf(client.magicLinks.email.send(world.address('nobody')))).toBe('email_not_found');
        await client.magicLinks.email.send(ada);
        const reply = await client.magicLinks.authenticate(await world.tokenFor(ada), HOUR);
        expect(reply.user_id).toBe(before.user.getSync()?.user_id);
      });

      test('adds an address to the signed-in user, once the link was opened in that session', async (world) => {
        const { client } = await signedIn(world);
        const work = world.address('ada.work');
        await client.magicLinks.email.send(work);
        const token = await world.tokenFor(work);
        const stranger = openTab(world).client;
        expect(await refusalOf(stranger.magicLinks.authenticate(token, HOUR))).toBe('user_unauthenticated');
        const { client: eve } = await signedIn(world, world.address('eve'));
        expect(await refusalOf(eve.magicLinks.authenticate(token, HOUR))).toBe('unable_to_auth_magic_link');
        const reply = await client.magicLinks.authenticate(token, HOUR);
        expect(reply.user.emails.map(({ email }) => email).includes(work)).toBe(true);
      });

      test('adds no address of another user', async (world) => {
        const grace = world.address('grace');
        await signedIn(world, grace);
        const { client } = await signedIn(world);
        expect(await refusalOf(client.magicLinks.email.send(grace))).toBe('duplicate_email');
      });

      test('is refused for a URL that is not registered, and for minutes out of range', async (world) => {
        const { client } = openTab(world);
        const ada = world.address('ada');
        const elsewhere = { login_magic_link_url: 'https://evil.example/' };
        expect(await refusalOf(client.magicLinks.email.loginOrCreate(ada, elsewhere))).toBe(
          'no_match_for_provided_magic_link_url',
        );
        const forever = { signup_expiration_minutes: 100_000 };
        expect(await refusalOf(client.magicLinks.email.loginOrCreate(ada, forever))).toBe('invalid_expiration_minutes');
        expect(await world.tokenFor(ada)).toBe('');
      });
    },
  );
}
