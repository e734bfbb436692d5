import { EMPTY, from, map, merge, startWith, switchMap, type Observable } from 'rxjs';
import { creationError } from '#domain/passkeys/passkey.ts';
import type { EventOf, Outcome } from '#domain/screens/event.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { sessionMinutes } from '#domain/widget/session-minutes.ts';
import type { Services } from '../../../services.ts';
import type { WidgetOptions } from '../../widget-options.ts';
import type { Effect, EffectContext } from '../../widget-store.ts';
import { ofType, whenReady } from '../attempt.ts';
import { passkeyListEffect } from './passkey-list.ts';

/** Creates passkeys. At most one ceremony runs at a time; skipping ends it. */
export function creationEffect(
  { passkeys }: Services<'passkeys'>,
  config: () => LoginConfig,
  at: Parameters<typeof creationError>[1],
): Effect {
  const create = (intent: EventOf<'passkey/createRequested'>, late: EffectContext['late']): Observable<Outcome> =>
    whenReady(async (signal) => {
      try {
        const session_duration_minutes = sessionMinutes(config());
        const { extensions } = config().passkeyOptions ?? {};
        const reply = await passkeys.register({ is_passkey: true, session_duration_minutes, extensions, signal });
        return { type: 'passkey/registered', reply };
      } catch (error) {
        return { type: 'failed', asked: intent, error: creationError(error, at) };
      }
    }, late);

  return ({ events$, late }) =>
    merge(ofType(events$, 'passkey/createRequested'), ofType(events$, 'passkey/skipped')).pipe(
      // A sign-up has a separate effect.
      switchMap((event) => (event.type === 'passkey/createRequested' && !event.email ? create(event, late) : EMPTY)),
    );
}

/** Creates passkeys, and manages their list (specification, section 4). */
export function passkeyRegistrationEffects(
  services: Services<'sessions' | 'account' | 'refresher' | 'passkeys' | 'userEdits' | 'log'>,
  options: () => WidgetOptions,
): readonly Effect[] {
  const { passkeys } = services;

  const where = async (): Promise<EventOf<'passkey/creationKnown'>['creation']> => {
    try {
      return await passkeys.creation();
    } catch {
      // The ceremony itself will report the error.
      return 'here';
    }
  };
  const device: Effect = ({ events$ }) =>
    ofType(events$, 'passkey/anotherRequested').pipe(
      startWith(null),
      switchMap(() => from(where())),
      map((creation) => ({ type: 'passkey/creationKnown', creation })),
    );

  return [passkeyListEffect(services), creationEffect(services, () => options().config, 'registration'), device];
}
