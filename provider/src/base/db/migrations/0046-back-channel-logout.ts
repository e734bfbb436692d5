/**
 * The apps that a session logged its user in to, and the notice of its end to each (OpenID Connect Back-Channel Logout 1.0). A trigger
 * writes the notice, so that it is in the transaction that ends the session, whichever statement does it: also a cascade. It has ids, and
 * the app's address is read when it is sent.
 */
export const BACK_CHANNEL_LOGOUT: readonly string[] = [
  `create table app_sessions (
     session_id text not null references sessions on delete cascade,
     client_id text not null,
     user_id text not null,
     issuer text not null,
     primary key (session_id, client_id))`,
  `create index outbox_due_logouts on outbox (next_at, seq) where state = 'waiting' and channel = 'logout'`,
  `create function tell_app_of_logout() returns trigger language plpgsql as $$
   begin
     insert into outbox (id, channel, kind, recipient, subject, text, at, expires_at) values (
       'message-test-' || gen_random_uuid(), 'logout', 'logout', old.client_id, '',
       json_build_object('sid', old.session_id, 'sub', old.user_id, 'iss', old.issuer)::text,
       clock_timestamp(), clock_timestamp() + interval '1 day');
     return null;
   end $$`,
  `create trigger app_session_ended after delete on app_sessions for each row execute function tell_app_of_logout()`,
  `alter table connected_apps add column backchannel_logout_uri text,
     add column backchannel_logout_session_required boolean not null default false`,
];
