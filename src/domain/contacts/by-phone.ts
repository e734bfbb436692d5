import { PHONE_METHODS } from './channels.ts';
import type { PhoneMethod } from './phone.ts';

/** The calls of all channels that reach a phone, by their names on the wire, such as `smsSend` for `send`. */
export function byPhone<Calls extends object>(callsOf: (channel: PhoneMethod) => Calls) {
  const entries = PHONE_METHODS.flatMap((channel) =>
    Object.entries(callsOf(channel)).map(([name, call]) => {
      return [`${channel}${name.charAt(0).toUpperCase()}${name.slice(1)}`, call] as const;
    }),
  );
  return Object.fromEntries(entries) as {
    readonly [Name in keyof Calls & string as `${PhoneMethod}${Capitalize<Name>}`]: Calls[Name];
  };
}
