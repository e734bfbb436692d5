-- The schema of the version of 29 November 2026, as pg_dump writes it, one statement a line, and some rows.
CREATE FUNCTION public.audit_log_append_only() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   begin
     if tg_op = 'DELETE' then
       if (old.created_at < clock_timestamp()
         - case old.outcome when 'refused' then interval '30 days' else interval '365 days' end) then
         return old;
       end if;
     end if;
     raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
   end $$;
CREATE FUNCTION public.audit_log_drop_month() RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '100ms'
    AS $$
  declare
    old regclass;
    ended timestamptz;
  begin
    -- Not as a default of the variable: to read the end of a partition waits for one that makes a month, and the block catches that here alone.
    select c.oid, substring(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([^'']+)''\)')::timestamptz into old, ended from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit_log'::regclass and substring(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([^'']+)''\)')::timestamptz < clock_timestamp() - interval '365 days'
      order by substring(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([^'']+)''\)')::timestamptz limit 1;
    if old is null then return 0; end if;
    execute format('drop table %s', old);
    return 1;
  exception
    when undefined_table then
      return 0;
    when lock_not_available then
      if ended < clock_timestamp() - interval '425 days' then
        raise exception 'audit_log is in use by a long transaction, so that no month can be dropped'
          using errcode = 'object_not_in_prerequisite_state';
      end if;
      return 0;
  end $$;
CREATE FUNCTION public.audit_log_make_months() RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '100ms'
    AS $_$
  declare
    first timestamp := date_trunc('month', clock_timestamp() at time zone 'UTC');
    starts timestamptz;
    ends timestamptz;
    name text;
    made integer := 0;
  begin
    begin
      lock table audit_log in share update exclusive mode;
    exception when lock_not_available then
      -- Another process makes them.
      return 0;
    end;
    for ahead in 0..2 loop
      starts := (first + make_interval(months => ahead)) at time zone 'UTC';
      ends := (first + make_interval(months => ahead + 1)) at time zone 'UTC';
      continue when exists (select from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit_log'::regclass and substring(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([^'']+)''\)')::timestamptz > starts and coalesce(substring(pg_get_expr(c.relpartbound, c.oid), 'FROM \(''([^'']+)''\)')::timestamptz, '-infinity') < ends);
      if pg_relation_size('audit_log_default') > 64 * 1024 * 1024 then
        raise exception 'audit_log_default is too large to make another month' using errcode = 'object_not_in_prerequisite_state';
      end if;
      begin
        lock table audit_log_default in access exclusive mode;
      exception when lock_not_available then
        if ahead = 2 then return made; end if;
        raise exception 'audit_log is in use by a long transaction, so that no month can be made'
          using errcode = 'object_not_in_prerequisite_state';
      end;
      continue when exists (select from audit_log_default where created_at >= starts and created_at < ends offset 10000);
      name := to_char(first + make_interval(months => ahead), '"audit_log_"YYYY_MM');
      execute format('create table %I (like audit_log_default including all excluding identity)', name);
      alter table audit_log_default disable trigger audit_log_rows;
      execute format('with moved as (delete from audit_log_default where created_at >= $1 and created_at < $2 returning *)
        insert into %I select * from moved', name) using starts, ends;
      alter table audit_log_default enable trigger audit_log_rows;
      execute format('create trigger audit_log_truncate before truncate on %I
        for each statement execute function audit_log_append_only()', name);
      execute format('alter table audit_log attach partition %I for values from (%L) to (%L)', name, starts, ends);
      made := made + 1;
    end loop;
    return made;
  exception when lock_not_available then
    return 0;
  end $_$;
CREATE FUNCTION public.contact_user_created() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  begin
    new.user_created_at := coalesce((select created_at from users where user_id = new.user_id), new.created_at);
    return new;
  end $$;
CREATE FUNCTION public.email_under_lock(contact text) RETURNS TABLE(method_id text, user_id text, value text, verified boolean, added_in text, locked_at timestamp with time zone)
    LANGUAGE plpgsql
    AS $$
    declare
      owner text := (select c.user_id from emails c where c.email_id = contact);
    begin
      perform from users u where u.user_id = owner for update;
      return query select c.email_id, c.user_id, c.email, c.verified, c.added_in, u.locked_at
        from emails c join users u on u.user_id = c.user_id where c.email_id = contact and c.user_id = owner;
    end $$;
CREATE FUNCTION public.end_partial_trust() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   declare
     owner text := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
   begin
     perform end_pending(array[owner], '{}');
     delete from trusted_devices where user_id = owner;
     return null;
   end $$;
CREATE FUNCTION public.end_pending(owners text[], spared text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
  begin
    perform from oauth_grants g where g.user_id = any (owners)
      and exists (select from authorization_codes c where c.grant_id = g.grant_id and c.family_id is null and (c.session_id = any (spared)) is not true) order by g.grant_id for update;
    delete from authorization_codes c using oauth_grants g where g.user_id = any (owners) and c.grant_id = g.grant_id and c.family_id is null and (c.session_id = any (spared)) is not true;
    delete from intermediate_sessions where user_id = any (owners);
    delete from magic_links where user_id = any (owners) and adds_to is not null;
    delete from passcodes where user_id = any (owners) and adds_to is not null;
    delete from webauthn_challenges where user_id = any (owners);
    delete from wallet_challenges where user_id = any (owners);
    delete from oauth_attach_tokens where user_id = any (owners);
    delete from oauth_flows where user_id = any (owners);
    delete from oauth_tokens where user_id = any (owners) and attaches;
    delete from pending_oauth_registrations where session_id in (select s.session_id from sessions s where s.user_id = any (owners));
    delete from totps where user_id = any (owners) and not verified;
  end $$;
CREATE FUNCTION public.end_pending_of_user() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   begin
     perform end_pending(array[new.user_id], '{}');
     return null;
   end $$;
CREATE FUNCTION public.folded(whole text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ select lower(whole) $$;
CREATE FUNCTION public.log_notice() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   begin
     insert into audit_log (created_at, event, outcome, user_id, actor_kind, details)
     values (clock_timestamp(), replace(new.event, '.', '_'), 'ok', new.user_id, 'system',
       jsonb_strip_nulls(jsonb_build_object('factor_type', new.factor_type, 'id', new.factor_id)));
     return null;
   end $$;
CREATE FUNCTION public.note_added() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   declare
     owners text[] := array(select user_id from added where true);
     mine xid := pg_current_xact_id()::xid;
   begin
     if owners = '{}' then return null; end if;
     perform end_pending(owners, case when tg_argv[0] = 'webauthn' then array(select added_in from added) else '{}' end);
     delete from trusted_devices where user_id = any (owners);
     owners := array(select user_id from emails where user_id = any (owners) and verified and xmin <> mine union select user_id from phone_numbers where user_id = any (owners) and verified and xmin <> mine);
     if owners = '{}' then return null; end if;
     insert into notices (user_id, event, factor_type, factor_id, details)
     select user_id, 'factor.added', tg_argv[0], row->>tg_argv[1], case tg_argv[0]
       when 'email' then jsonb_build_object('value', row->'email', 'created_at', row->'created_at')
       when 'phone_number' then jsonb_build_object('value', row->'phone_number', 'created_at', row->'created_at')
       when 'oauth' then jsonb_build_object('provider', row->'provider_type')
       else '{}'::jsonb end
     from (select user_id, to_jsonb(added) as row from added where user_id = any (owners) and true) as mine;
     return null;
   end $$;
CREATE FUNCTION public.note_added_verified() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   declare
     owners text[] := array(select user_id from added where verified);
     mine xid := pg_current_xact_id()::xid;
   begin
     if owners = '{}' then return null; end if;
     perform end_pending(owners, case when tg_argv[0] = 'webauthn' then array(select added_in from added) else '{}' end);
     delete from trusted_devices where user_id = any (owners);
     owners := array(select user_id from emails where user_id = any (owners) and verified and xmin <> mine union select user_id from phone_numbers where user_id = any (owners) and verified and xmin <> mine);
     if owners = '{}' then return null; end if;
     insert into notices (user_id, event, factor_type, factor_id, details)
     select user_id, 'factor.added', tg_argv[0], row->>tg_argv[1], case tg_argv[0]
       when 'email' then jsonb_build_object('value', row->'email', 'created_at', row->'created_at')
       when 'phone_number' then jsonb_build_object('value', row->'phone_number', 'created_at', row->'created_at')
       when 'oauth' then jsonb_build_object('provider', row->'provider_type')
       else '{}'::jsonb end
     from (select user_id, to_jsonb(added) as row from added where user_id = any (owners) and verified) as mine;
     return null;
   end $$;
CREATE FUNCTION public.note_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   declare
     gone boolean := tg_op = 'DELETE';
     is_contact boolean := tg_argv[1] in ('email', 'phone_number');
     row jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
     mine xid := pg_current_xact_id()::xid;
   begin
     if gone and not exists (select from users where user_id = row->>'user_id') then return null; end if;
     if not (gone and is_contact)
       and not exists (select from emails where user_id = row->>'user_id' and verified
         and email_id <> row->>tg_argv[2] and xmin <> mine)
       and not exists (select from phone_numbers where user_id = row->>'user_id' and verified
         and phone_id <> row->>tg_argv[2] and xmin <> mine) then
       return null;
     end if;
     insert into notices (user_id, event, factor_type, factor_id, details)
     values (row->>'user_id', tg_argv[0], tg_argv[1], row->>tg_argv[2], case
       when tg_argv[1] = 'email' then jsonb_build_object('value', row->'email', 'created_at', row->'created_at')
       when tg_argv[1] = 'phone_number' then jsonb_build_object('value', row->'phone_number', 'created_at', row->'created_at')
       when tg_argv[1] = 'oauth' then jsonb_build_object('provider', row->'provider_type')
       when tg_argv[1] = 'app' then jsonb_build_object('client_id', row->'client_id')
       else '{}'::jsonb end);
     return null;
   end $$;
CREATE FUNCTION public.phone_number_under_lock(contact text) RETURNS TABLE(method_id text, user_id text, value text, verified boolean, added_in text, locked_at timestamp with time zone)
    LANGUAGE plpgsql
    AS $$
    declare
      owner text := (select c.user_id from phone_numbers c where c.phone_id = contact);
    begin
      perform from users u where u.user_id = owner for update;
      return query select c.phone_id, c.user_id, c.phone_number, c.verified, c.added_in, u.locked_at
        from phone_numbers c join users u on u.user_id = c.user_id where c.phone_id = contact and c.user_id = owner;
    end $$;
CREATE FUNCTION public.tell_added() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   declare
     event text := tg_argv[0];
   begin
     if not exists (select from webhook_endpoints where events is null or events ? event) then return null; end if;
     insert into outbox (id, channel, kind, recipient, subject, text, at, expires_at)
       select 'message-test-' || gen_random_uuid(), 'webhook', 'webhook', url, '',
         json_build_object('type', event,
           'timestamp', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'data', case when tg_nargs = 1 then jsonb_build_object('user_id', row->'user_id')
             else jsonb_build_object('user_id', row->'user_id', tg_argv[1], row->tg_argv[2], 'factor_type', tg_argv[3]) end)::text,
         clock_timestamp(), clock_timestamp() + interval '3 days'
       from (select to_jsonb(added) as row from added where true) as rows
         cross join webhook_endpoints where events is null or events ? event;
     return null;
   end $$;
CREATE FUNCTION public.tell_added_known() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   declare
     event text := tg_argv[0];
   begin
     if not exists (select from webhook_endpoints where events is null or events ? event) then return null; end if;
     insert into outbox (id, channel, kind, recipient, subject, text, at, expires_at)
       select 'message-test-' || gen_random_uuid(), 'webhook', 'webhook', url, '',
         json_build_object('type', event,
           'timestamp', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'data', case when tg_nargs = 1 then jsonb_build_object('user_id', row->'user_id')
             else jsonb_build_object('user_id', row->'user_id', tg_argv[1], row->tg_argv[2], 'factor_type', tg_argv[3]) end)::text,
         clock_timestamp(), clock_timestamp() + interval '3 days'
       from (select to_jsonb(added) as row from added where status = 'active' or managed) as rows
         cross join webhook_endpoints where events is null or events ? event;
     return null;
   end $$;
CREATE FUNCTION public.tell_added_verified() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   declare
     event text := tg_argv[0];
   begin
     if not exists (select from webhook_endpoints where events is null or events ? event) then return null; end if;
     insert into outbox (id, channel, kind, recipient, subject, text, at, expires_at)
       select 'message-test-' || gen_random_uuid(), 'webhook', 'webhook', url, '',
         json_build_object('type', event,
           'timestamp', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'data', case when tg_nargs = 1 then jsonb_build_object('user_id', row->'user_id')
             else jsonb_build_object('user_id', row->'user_id', tg_argv[1], row->tg_argv[2], 'factor_type', tg_argv[3]) end)::text,
         clock_timestamp(), clock_timestamp() + interval '3 days'
       from (select to_jsonb(added) as row from added where verified) as rows
         cross join webhook_endpoints where events is null or events ? event;
     return null;
   end $$;
CREATE FUNCTION public.tell_app_of_logout() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   begin
     insert into outbox (id, channel, kind, recipient, subject, text, at, expires_at) values (
       'message-test-' || gen_random_uuid(), 'logout', 'logout', old.client_id, '',
       json_build_object('sid', old.session_id, 'sub', old.user_id, 'iss', old.issuer)::text,
       clock_timestamp(), clock_timestamp() + interval '1 day');
     return null;
   end $$;
CREATE FUNCTION public.tell_webhooks() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   declare
     event text := tg_argv[0];
     gone boolean := tg_op = 'DELETE';
     row jsonb;
     body jsonb;
   begin
     if not exists (select from webhook_endpoints where events is null or events ? event) then return null; end if;
     row := case when gone then to_jsonb(old) else to_jsonb(new) end;
     if gone and event <> 'user.deleted' and not exists (select from users where user_id = row->>'user_id') then
       return null;
     end if;
     body := jsonb_build_object('user_id', row->'user_id');
     if tg_nargs > 1 then body := body || jsonb_build_object(tg_argv[1], row->tg_argv[2]); end if;
     if tg_nargs > 3 then body := body || jsonb_build_object('factor_type', tg_argv[3]); end if;
     if event = 'session.created' then
       body := body || jsonb_build_object('method', row->'authentication_factors'->0->'type');
     end if;
     insert into outbox (id, channel, kind, recipient, subject, text, at, expires_at)
       select 'message-test-' || gen_random_uuid(), 'webhook', 'webhook', url, '',
         json_build_object('type', event,
           'timestamp', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'data', body)::text,
         clock_timestamp(), clock_timestamp() + interval '3 days'
       from webhook_endpoints where events is null or events ? event;
     return null;
   end $$;
CREATE FUNCTION public.text_grams(whole text) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
       declare
         word text;
         previous text := '';
         grams text[] := '{}';
       begin
         foreach word in array string_to_array(lower(whole), ' ') loop
           if word <> previous then
             for i in 1 .. length(word) - 2 loop grams := grams || substr(word, i, 3); end loop;
             previous := word;
           end if;
         end loop;
         return grams;
       end $$;
CREATE TABLE public.account_codes (code_hash text NOT NULL, provider_type text NOT NULL, client_id text NOT NULL, redirect_uri text NOT NULL, code_challenge text NOT NULL, nonce text, scope text NOT NULL, profile jsonb NOT NULL, expires_at timestamptz NOT NULL);
CREATE TABLE public.agents (client_id text NOT NULL, origin text NOT NULL, metadata jsonb NOT NULL, secret_hash text, registration_token_hash text, approval text, created_at timestamptz NOT NULL, changed_at timestamptz NOT NULL, read_at timestamptz NOT NULL, fresh_until timestamptz NOT NULL, expires_at timestamptz NOT NULL, network_key text, CONSTRAINT agents_approval_check CHECK ((approval = ANY (ARRAY['approved'::text, 'refused'::text]))), CONSTRAINT agents_origin_check CHECK ((origin = ANY (ARRAY['document'::text, 'registration'::text]))));
CREATE TABLE public.app_sessions (session_id text NOT NULL, client_id text NOT NULL, user_id text NOT NULL, issuer text NOT NULL);
CREATE TABLE public.audit_counts (bucket text NOT NULL, window_start timestamptz NOT NULL, window_end timestamptz NOT NULL, event text NOT NULL, outcome text NOT NULL, user_id text, network text, error_type text, budget integer NOT NULL, hits integer NOT NULL);
CREATE TABLE public.audit_log (seq bigint NOT NULL, created_at timestamptz NOT NULL, event text NOT NULL, outcome text NOT NULL, user_id text, actor_kind text NOT NULL, actor_id text, method text, network text, request_id text, details jsonb DEFAULT '{}'::jsonb NOT NULL, CONSTRAINT audit_log_outcome_check CHECK ((outcome = ANY (ARRAY['ok'::text, 'refused'::text]))) ) PARTITION BY RANGE (created_at);
CREATE TABLE public.audit_log_before (seq bigint NOT NULL, created_at timestamptz NOT NULL, event text NOT NULL, outcome text NOT NULL, user_id text, actor_kind text NOT NULL, actor_id text, method text, network text, request_id text, details jsonb DEFAULT '{}'::jsonb NOT NULL, CONSTRAINT audit_log_outcome_check CHECK ((outcome = ANY (ARRAY['ok'::text, 'refused'::text]))));
CREATE TABLE public.audit_log_default (seq bigint NOT NULL, created_at timestamptz NOT NULL, event text NOT NULL, outcome text NOT NULL, user_id text, actor_kind text NOT NULL, actor_id text, method text, network text, request_id text, details jsonb DEFAULT '{}'::jsonb NOT NULL, CONSTRAINT audit_log_outcome_check CHECK ((outcome = ANY (ARRAY['ok'::text, 'refused'::text]))));
ALTER TABLE public.audit_log ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME public.audit_log_seq_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1);
CREATE TABLE public.audit_stream (name text NOT NULL, batch bigint NOT NULL, last bigint NOT NULL, planned bigint, reached_at timestamptz);
CREATE TABLE public.authorization_codes (code_hash text NOT NULL, grant_id text NOT NULL, session_id text, redirect_uri text NOT NULL, code_challenge text, nonce text, scopes jsonb NOT NULL, auth_time timestamptz, expires_at timestamptz NOT NULL, family_id text, dpop_jkt text, audiences jsonb DEFAULT '[]'::jsonb NOT NULL, factors jsonb);
CREATE TABLE public.backend_calls (seq bigint NOT NULL, request_id text NOT NULL, secret_id text NOT NULL, secret_name text NOT NULL, call text NOT NULL, changes boolean NOT NULL, target text, status integer, error_type text, created_at timestamptz NOT NULL);
ALTER TABLE public.backend_calls ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME public.backend_calls_seq_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1);
CREATE TABLE public.client_key_sets (client_id text NOT NULL, jwks_uri text NOT NULL, keys jsonb NOT NULL, fresh_until timestamptz NOT NULL, expires_at timestamptz NOT NULL);
CREATE TABLE public.connected_apps (client_id text NOT NULL COLLATE pg_catalog."C", client_type text NOT NULL, client_name text NOT NULL, client_description text NOT NULL, logo_url text, redirect_urls jsonb NOT NULL, post_logout_redirect_urls jsonb NOT NULL, full_access_allowed boolean NOT NULL, bypass_consent_for_offline_access boolean NOT NULL, access_token_expiry_minutes integer NOT NULL, access_token_custom_audience text, access_token_template_content text NOT NULL, id_token_template_content text NOT NULL, secret_hash text, secret_last_four text, next_secret_hash text, next_secret_last_four text, created_at timestamptz NOT NULL, pkce_required boolean DEFAULT false NOT NULL, device_authorization_allowed boolean DEFAULT false NOT NULL, backchannel_logout_uri text, backchannel_logout_session_required boolean DEFAULT false NOT NULL, CONSTRAINT connected_apps_client_type_check CHECK ((client_type = ANY (ARRAY['first_party'::text, 'first_party_public'::text, 'third_party'::text, 'third_party_public'::text]))));
CREATE TABLE public.connection_failures (failure_id text NOT NULL, owner text NOT NULL, client_id text NOT NULL, step text NOT NULL, rule text NOT NULL, error text NOT NULL, message text NOT NULL, sent jsonb NOT NULL, expected jsonb NOT NULL, times integer DEFAULT 1 NOT NULL, created_at timestamptz NOT NULL, last_at timestamptz NOT NULL, expires_at timestamptz NOT NULL, network_key text);
CREATE TABLE public.crypto_wallets (crypto_wallet_id text NOT NULL, user_id text NOT NULL, crypto_wallet_type text NOT NULL, crypto_wallet_address text NOT NULL, created_at timestamptz NOT NULL, added_in text, CONSTRAINT crypto_wallets_crypto_wallet_type_check CHECK ((crypto_wallet_type = ANY (ARRAY['ethereum'::text, 'solana'::text]))));
CREATE TABLE public.device_authorizations (device_hash text NOT NULL, user_code_hash text NOT NULL, client_id text NOT NULL, scopes jsonb NOT NULL, audiences jsonb NOT NULL, sealed_origin text NOT NULL, dpop_jkt text, interval_seconds integer NOT NULL, polled_at timestamptz, denied boolean DEFAULT false NOT NULL, code_hash text, expires_at timestamptz NOT NULL);
CREATE TABLE public.emails (email_id text NOT NULL, user_id text NOT NULL, email text NOT NULL, email_key text NOT NULL, verified boolean NOT NULL, created_at timestamptz NOT NULL, added_in text, user_created_at timestamptz);
CREATE TABLE public.impersonation_tokens (token_hash text NOT NULL, user_id text NOT NULL, impersonator_id text NOT NULL, impersonator_email_address text NOT NULL, expires_at timestamptz NOT NULL);
CREATE TABLE public.intermediate_sessions (token_hash text NOT NULL, user_id text NOT NULL, factors jsonb NOT NULL, minutes integer, custom_claims jsonb, session_id text, new_session_id text NOT NULL, code_challenge text, device_key text, by_server boolean NOT NULL, created_at timestamptz NOT NULL, expires_at timestamptz NOT NULL, network text, pending_accounts jsonb DEFAULT '[]'::jsonb NOT NULL);
CREATE TABLE public.known_networks (user_id text NOT NULL, network text NOT NULL, last_login_at timestamptz NOT NULL, second_factor_at timestamptz);
CREATE TABLE public.kysely_migration (name character varying(255) NOT NULL, "timestamp" character varying(255) NOT NULL);
CREATE TABLE public.leases (name text NOT NULL, holder text NOT NULL, held_until timestamptz NOT NULL);
CREATE TABLE public.limit_windows (bucket text NOT NULL, window_start timestamptz NOT NULL, hits integer NOT NULL, expires_at timestamptz NOT NULL ) WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.m2m_clients (client_id text NOT NULL COLLATE pg_catalog."C", client_name text NOT NULL, client_description text NOT NULL, status text NOT NULL, scopes jsonb NOT NULL, trusted_metadata jsonb NOT NULL, secret_hash text, secret_last_four text, next_secret_hash text, next_secret_last_four text, created_at timestamptz NOT NULL, CONSTRAINT m2m_clients_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text]))));
CREATE TABLE public.magic_links (token_hash text NOT NULL, email_id text, code_challenge text, expires_at timestamptz NOT NULL, purpose text DEFAULT 'login'::text NOT NULL, adds_to text, address text, user_id text, needs_session boolean DEFAULT true NOT NULL, ip_hash text, user_agent_hash text, made_user boolean DEFAULT false NOT NULL, began_on_page boolean, CONSTRAINT magic_links_purpose_check CHECK ((purpose = ANY (ARRAY['login'::text, 'reset_password'::text, 'invite'::text, 'embedded'::text]))));
CREATE TABLE public.notice_links (token_hash text NOT NULL, user_id text NOT NULL, purpose text NOT NULL, since bigint, recovery_id text, kind text NOT NULL, method_id text NOT NULL, locale text NOT NULL, used_at timestamptz, expires_at timestamptz NOT NULL);
CREATE TABLE public.notices (notice_id bigint NOT NULL, user_id text NOT NULL, event text NOT NULL, factor_type text, factor_id text, details jsonb DEFAULT '{}'::jsonb NOT NULL, final boolean DEFAULT false NOT NULL, due_at timestamptz, told_at timestamptz, expires_at timestamptz);
ALTER TABLE public.notices ALTER COLUMN notice_id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME public.notices_notice_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1);
CREATE TABLE public.oauth_access_tokens (token_id text NOT NULL, family_id text NOT NULL, scopes jsonb NOT NULL, expires_at timestamptz NOT NULL);
CREATE TABLE public.oauth_attach_tokens (token_hash text NOT NULL, user_id text NOT NULL, provider_type text NOT NULL, expires_at timestamptz NOT NULL, session_id text);
CREATE TABLE public.oauth_client_secrets (secret_hash text NOT NULL, client_id text NOT NULL, created_at timestamptz NOT NULL);
CREATE TABLE public.oauth_flows (state_hash text NOT NULL, provider_type text NOT NULL, code_challenge text, login_redirect_url text NOT NULL, signup_redirect_url text NOT NULL, expires_at timestamptz NOT NULL, user_id text, session_id text, browser_hash text);
CREATE TABLE public.oauth_grants (grant_id text NOT NULL, user_id text NOT NULL, client_id text NOT NULL, scopes jsonb NOT NULL, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL, app_id text COLLATE pg_catalog."C", added_in text, given_in jsonb DEFAULT '{}'::jsonb NOT NULL, audiences jsonb DEFAULT '{}'::jsonb NOT NULL, agent_id text);
CREATE TABLE public.oauth_refresh_tokens (token_hash text NOT NULL, family_id text NOT NULL, used boolean NOT NULL, created_at timestamptz NOT NULL, expires_at timestamptz NOT NULL, used_at timestamptz);
CREATE TABLE public.oauth_registrations (oauth_user_registration_id text NOT NULL, user_id text NOT NULL, provider_type text NOT NULL, provider_subject text NOT NULL, profile_picture_url text NOT NULL, locale text NOT NULL, created_at timestamptz NOT NULL, refresh_token text, added_in text);
CREATE TABLE public.oauth_token_families (family_id text NOT NULL, grant_id text NOT NULL, scopes jsonb NOT NULL, created_at timestamptz NOT NULL, session_id text, auth_time timestamptz, factor_ids jsonb DEFAULT '[]'::jsonb NOT NULL, dpop_jkt text, factors jsonb, audiences jsonb DEFAULT '[]'::jsonb NOT NULL);
CREATE TABLE public.oauth_tokens (token_hash text NOT NULL, oauth_user_registration_id text, code_challenge text, provider_values text NOT NULL, expires_at timestamptz NOT NULL, identity text, user_id text, attaches boolean DEFAULT false NOT NULL, session_id text);
CREATE TABLE public.one_tap_callbacks (callback_hash text NOT NULL, expires_at timestamptz NOT NULL);
CREATE TABLE public.operator_challenges (challenge_hash text NOT NULL, operator_id text, expires_at timestamptz NOT NULL);
CREATE TABLE public.operator_invites (token_hash text NOT NULL, operator_id text NOT NULL, expires_at timestamptz NOT NULL);
CREATE TABLE public.operator_passkeys (credential_id text NOT NULL, operator_id text NOT NULL, public_key text NOT NULL, sign_count bigint NOT NULL, backup_eligible boolean NOT NULL, user_handle text NOT NULL, created_at timestamptz NOT NULL);
CREATE TABLE public.operator_sessions (token_hash text NOT NULL, operator_id text NOT NULL, last_used_at timestamptz NOT NULL, expires_at timestamptz NOT NULL);
CREATE TABLE public.operators (operator_id text NOT NULL, name text NOT NULL, role text NOT NULL, created_at timestamptz NOT NULL, CONSTRAINT operators_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'reader'::text]))));
CREATE TABLE public.outbox (seq bigint NOT NULL, id text NOT NULL, channel text NOT NULL, recipient text NOT NULL, subject text NOT NULL, text text NOT NULL, code text, link text, at timestamptz NOT NULL, expires_at timestamptz NOT NULL, user_id text, kind text DEFAULT 'message'::text NOT NULL, locale text DEFAULT 'en'::text NOT NULL, template_id text, "values" jsonb DEFAULT '{}'::jsonb NOT NULL, state text DEFAULT 'waiting'::text NOT NULL, attempts integer DEFAULT 0 NOT NULL, next_at timestamptz DEFAULT to_timestamp((0)::double precision) NOT NULL, claimed_until timestamptz, claimed_by text, sent_at timestamptz, reference text, last_error text, delete_at timestamptz, CONSTRAINT outbox_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'dead'::text, 'expired'::text]))));
ALTER TABLE public.outbox ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME public.outbox_seq_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1);
CREATE TABLE public.passcodes (passcode_id text NOT NULL, user_id text NOT NULL, method_id text NOT NULL, network text NOT NULL, code_hash text NOT NULL, tries integer NOT NULL, channel text NOT NULL, adds_to text, address text, created_at timestamptz NOT NULL, expires_at timestamptz NOT NULL, needs_session boolean DEFAULT true NOT NULL, ip_hash text, user_agent_hash text, CONSTRAINT passcodes_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text, 'whatsapp'::text]))) ) WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.passkey_funnel (day timestamptz NOT NULL, browser text NOT NULL, mobile boolean NOT NULL, step text NOT NULL, hits bigint NOT NULL);
CREATE TABLE public.passwords (password_id text NOT NULL, user_id text NOT NULL, hash text NOT NULL, requires_reset boolean NOT NULL, created_at timestamptz NOT NULL, added_in text);
CREATE TABLE public.pending_oauth_registrations (session_id text NOT NULL, provider_type text NOT NULL, oauth_user_registration_id text NOT NULL, identity text NOT NULL);
CREATE TABLE public.phone_numbers (phone_id text NOT NULL, user_id text NOT NULL, phone_number text NOT NULL, verified boolean NOT NULL, created_at timestamptz NOT NULL, added_in text, user_created_at timestamptz, disputed_in text);
CREATE TABLE public.project_secrets (secret_id text NOT NULL, name text NOT NULL, secret_hash text NOT NULL, created_at timestamptz NOT NULL, last_used_at timestamptz);
CREATE TABLE public.pushed_requests (request_hash text NOT NULL, client_id text NOT NULL, parameters text NOT NULL, expires_at timestamptz NOT NULL);
CREATE TABLE public.recoveries (recovery_id text NOT NULL, user_id text NOT NULL, state text NOT NULL, started_at timestamptz NOT NULL, available_at timestamptz NOT NULL, announced_at timestamptz, ended_at timestamptz, expires_at timestamptz NOT NULL, ends_with_login boolean DEFAULT false NOT NULL, undelivered jsonb, oldest_method_at timestamptz, oldest_contact_at timestamptz, CONSTRAINT recoveries_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'canceled'::text, 'completed'::text]))));
CREATE TABLE public.recovery_codes (totp_id text NOT NULL, code_hash text NOT NULL, sealed text NOT NULL, place integer NOT NULL);
CREATE TABLE public.sealed_keys (name text NOT NULL, sealed text NOT NULL);
CREATE TABLE public.server_keys (name text NOT NULL, value text NOT NULL);
CREATE TABLE public.session_tokens (token_hash text NOT NULL, session_id text NOT NULL, generation integer DEFAULT 1 NOT NULL);
CREATE TABLE public.sessions (session_id text NOT NULL, user_id text NOT NULL, started_at timestamptz NOT NULL, last_accessed_at timestamptz NOT NULL, expires_at timestamptz NOT NULL, attributes jsonb NOT NULL, authentication_factors jsonb NOT NULL, generation integer DEFAULT 1 NOT NULL, family_id text, custom_claims jsonb DEFAULT '{}'::jsonb NOT NULL, bound_key jsonb, trial_key jsonb, proof_jkt text, trusted_device_id text ) WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE public.signing_keys (generation integer NOT NULL, kid text NOT NULL, public_key jsonb NOT NULL, sealed text, created_at timestamptz NOT NULL, active_at timestamptz NOT NULL, purpose text NOT NULL, mac text, CONSTRAINT signing_keys_purpose_check CHECK ((purpose = ANY (ARRAY['apps'::text, 'sessions'::text]))));
CREATE TABLE public.totps (totp_id text NOT NULL, user_id text NOT NULL, secret text NOT NULL, verified boolean NOT NULL, last_step bigint, expires_at timestamptz NOT NULL, created_at timestamptz NOT NULL, added_in text, disputed_in text);
CREATE TABLE public.trusted_devices (device_id text NOT NULL, user_id text NOT NULL, token_hash text NOT NULL, user_agent text NOT NULL, ip_address text NOT NULL, created_at timestamptz NOT NULL, last_used_at timestamptz NOT NULL, expires_at timestamptz NOT NULL);
CREATE TABLE public.used_trusted_tokens (token_key text NOT NULL, expires_at timestamptz NOT NULL);
CREATE TABLE public.users (user_id text NOT NULL, created_at timestamptz NOT NULL, status text NOT NULL, name jsonb NOT NULL, trusted_metadata jsonb NOT NULL, untrusted_metadata jsonb NOT NULL, roles jsonb NOT NULL, external_id text, managed boolean DEFAULT false NOT NULL, vouched boolean DEFAULT false NOT NULL, given_roles jsonb DEFAULT '[]'::jsonb NOT NULL, locked_at timestamptz, proof_due_at timestamptz DEFAULT (now() + '7 days'::interval), mfa_policy text, unproven_email text, unproven_in text, CONSTRAINT users_mfa_policy_check CHECK ((mfa_policy = ANY (ARRAY['when_enrolled'::text, 'required'::text]))), CONSTRAINT users_status_check CHECK ((status = ANY (ARRAY['active'::text, 'pending'::text]))));
CREATE TABLE public.wallet_challenges (challenge_hash text NOT NULL, crypto_wallet_type text NOT NULL, crypto_wallet_address text NOT NULL, user_id text, challenge text NOT NULL, created_at timestamptz NOT NULL, expires_at timestamptz NOT NULL, network text DEFAULT ''::text NOT NULL, needs_session boolean DEFAULT true NOT NULL);
CREATE TABLE public.webauthn_challenges (challenge_hash text NOT NULL, ceremony text NOT NULL, user_id text, domain text NOT NULL, user_verification boolean NOT NULL, user_handle text, user_agent text, expires_at timestamptz NOT NULL, user_presence boolean DEFAULT true NOT NULL, sign_up_email text, CONSTRAINT webauthn_challenges_ceremony_check CHECK ((ceremony = ANY (ARRAY['register'::text, 'authenticate'::text]))));
CREATE TABLE public.webauthn_registrations (webauthn_registration_id text NOT NULL, user_id text NOT NULL, domain text NOT NULL, credential_id text NOT NULL, public_key text NOT NULL, user_handle text NOT NULL, sign_count bigint NOT NULL, backup_eligible boolean NOT NULL, transports jsonb NOT NULL, user_agent text NOT NULL, authenticator_type text NOT NULL, name text NOT NULL, created_at timestamptz NOT NULL, last_used_at timestamptz, backed_up boolean, aaguid text, added_in text, disputed_in text, attestation_format text, attested boolean, model text);
CREATE TABLE public.webhook_endpoints (url text NOT NULL, events jsonb);
ALTER TABLE ONLY public.audit_log ATTACH PARTITION public.audit_log_before FOR VALUES FROM (MINVALUE) TO ('2027-01-01 00:00:00+00');
ALTER TABLE ONLY public.audit_log ATTACH PARTITION public.audit_log_default DEFAULT;
ALTER TABLE ONLY public.account_codes ADD CONSTRAINT account_codes_pkey PRIMARY KEY (code_hash);
ALTER TABLE ONLY public.agents ADD CONSTRAINT agents_pkey PRIMARY KEY (client_id);
ALTER TABLE ONLY public.app_sessions ADD CONSTRAINT app_sessions_pkey PRIMARY KEY (session_id, client_id);
ALTER TABLE ONLY public.audit_counts ADD CONSTRAINT audit_counts_pkey PRIMARY KEY (bucket, window_start);
ALTER TABLE ONLY public.audit_log_default ADD CONSTRAINT audit_log_default_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.audit_log_before ADD CONSTRAINT audit_log_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.audit_stream ADD CONSTRAINT audit_stream_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.authorization_codes ADD CONSTRAINT authorization_codes_pkey PRIMARY KEY (code_hash);
ALTER TABLE ONLY public.backend_calls ADD CONSTRAINT backend_calls_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.client_key_sets ADD CONSTRAINT client_key_sets_pkey PRIMARY KEY (client_id);
ALTER TABLE ONLY public.connected_apps ADD CONSTRAINT connected_apps_pkey PRIMARY KEY (client_id);
ALTER TABLE ONLY public.connection_failures ADD CONSTRAINT connection_failures_pkey PRIMARY KEY (failure_id);
ALTER TABLE ONLY public.crypto_wallets ADD CONSTRAINT crypto_wallets_crypto_wallet_type_crypto_wallet_address_key UNIQUE (crypto_wallet_type, crypto_wallet_address);
ALTER TABLE ONLY public.crypto_wallets ADD CONSTRAINT crypto_wallets_pkey PRIMARY KEY (crypto_wallet_id);
ALTER TABLE ONLY public.device_authorizations ADD CONSTRAINT device_authorizations_pkey PRIMARY KEY (device_hash);
ALTER TABLE ONLY public.device_authorizations ADD CONSTRAINT device_authorizations_user_code_hash_key UNIQUE (user_code_hash);
ALTER TABLE ONLY public.emails ADD CONSTRAINT emails_email_key_key UNIQUE (email_key);
ALTER TABLE ONLY public.emails ADD CONSTRAINT emails_pkey PRIMARY KEY (email_id);
ALTER TABLE ONLY public.impersonation_tokens ADD CONSTRAINT impersonation_tokens_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.intermediate_sessions ADD CONSTRAINT intermediate_sessions_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.known_networks ADD CONSTRAINT known_networks_pkey PRIMARY KEY (user_id, network);
ALTER TABLE ONLY public.kysely_migration ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.leases ADD CONSTRAINT leases_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.limit_windows ADD CONSTRAINT limit_windows_pkey PRIMARY KEY (bucket, window_start);
ALTER TABLE ONLY public.m2m_clients ADD CONSTRAINT m2m_clients_pkey PRIMARY KEY (client_id);
ALTER TABLE ONLY public.magic_links ADD CONSTRAINT magic_links_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.notice_links ADD CONSTRAINT notice_links_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.notices ADD CONSTRAINT notices_pkey PRIMARY KEY (notice_id);
ALTER TABLE ONLY public.oauth_access_tokens ADD CONSTRAINT oauth_access_tokens_pkey PRIMARY KEY (token_id);
ALTER TABLE ONLY public.oauth_attach_tokens ADD CONSTRAINT oauth_attach_tokens_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.oauth_client_secrets ADD CONSTRAINT oauth_client_secrets_pkey PRIMARY KEY (secret_hash);
ALTER TABLE ONLY public.oauth_flows ADD CONSTRAINT oauth_flows_pkey PRIMARY KEY (state_hash);
ALTER TABLE ONLY public.oauth_grants ADD CONSTRAINT oauth_grants_pkey PRIMARY KEY (grant_id);
ALTER TABLE ONLY public.oauth_grants ADD CONSTRAINT oauth_grants_user_id_client_id_key UNIQUE (user_id, client_id);
ALTER TABLE ONLY public.oauth_refresh_tokens ADD CONSTRAINT oauth_refresh_tokens_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.oauth_registrations ADD CONSTRAINT oauth_registrations_pkey PRIMARY KEY (oauth_user_registration_id);
ALTER TABLE ONLY public.oauth_registrations ADD CONSTRAINT oauth_registrations_provider_type_provider_subject_key UNIQUE (provider_type, provider_subject);
ALTER TABLE ONLY public.oauth_token_families ADD CONSTRAINT oauth_token_families_pkey PRIMARY KEY (family_id);
ALTER TABLE ONLY public.oauth_tokens ADD CONSTRAINT oauth_tokens_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.one_tap_callbacks ADD CONSTRAINT one_tap_callbacks_pkey PRIMARY KEY (callback_hash);
ALTER TABLE ONLY public.operator_challenges ADD CONSTRAINT operator_challenges_pkey PRIMARY KEY (challenge_hash);
ALTER TABLE ONLY public.operator_invites ADD CONSTRAINT operator_invites_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.operator_passkeys ADD CONSTRAINT operator_passkeys_pkey PRIMARY KEY (credential_id);
ALTER TABLE ONLY public.operator_sessions ADD CONSTRAINT operator_sessions_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.operators ADD CONSTRAINT operators_name_key UNIQUE (name);
ALTER TABLE ONLY public.operators ADD CONSTRAINT operators_pkey PRIMARY KEY (operator_id);
ALTER TABLE ONLY public.outbox ADD CONSTRAINT outbox_id_key UNIQUE (id);
ALTER TABLE ONLY public.outbox ADD CONSTRAINT outbox_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.passcodes ADD CONSTRAINT passcodes_pkey PRIMARY KEY (passcode_id);
ALTER TABLE ONLY public.passkey_funnel ADD CONSTRAINT passkey_funnel_pkey PRIMARY KEY (day, browser, mobile, step);
ALTER TABLE ONLY public.passwords ADD CONSTRAINT passwords_pkey PRIMARY KEY (password_id);
ALTER TABLE ONLY public.passwords ADD CONSTRAINT passwords_user_id_key UNIQUE (user_id);
ALTER TABLE ONLY public.pending_oauth_registrations ADD CONSTRAINT pending_oauth_registrations_pkey PRIMARY KEY (session_id, provider_type);
ALTER TABLE ONLY public.phone_numbers ADD CONSTRAINT phone_numbers_phone_number_key UNIQUE (phone_number);
ALTER TABLE ONLY public.phone_numbers ADD CONSTRAINT phone_numbers_pkey PRIMARY KEY (phone_id);
ALTER TABLE ONLY public.project_secrets ADD CONSTRAINT project_secrets_pkey PRIMARY KEY (secret_id);
ALTER TABLE ONLY public.project_secrets ADD CONSTRAINT project_secrets_secret_hash_key UNIQUE (secret_hash);
ALTER TABLE ONLY public.pushed_requests ADD CONSTRAINT pushed_requests_pkey PRIMARY KEY (request_hash);
ALTER TABLE ONLY public.recoveries ADD CONSTRAINT recoveries_pkey PRIMARY KEY (recovery_id);
ALTER TABLE ONLY public.recovery_codes ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (totp_id, code_hash);
ALTER TABLE ONLY public.sealed_keys ADD CONSTRAINT sealed_keys_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.server_keys ADD CONSTRAINT server_keys_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.session_tokens ADD CONSTRAINT session_tokens_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.sessions ADD CONSTRAINT sessions_pkey PRIMARY KEY (session_id);
ALTER TABLE ONLY public.signing_keys ADD CONSTRAINT signing_keys_kid_key UNIQUE (kid);
ALTER TABLE ONLY public.signing_keys ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (purpose, generation);
ALTER TABLE ONLY public.totps ADD CONSTRAINT totps_pkey PRIMARY KEY (totp_id);
ALTER TABLE ONLY public.totps ADD CONSTRAINT totps_user_id_key UNIQUE (user_id);
ALTER TABLE ONLY public.trusted_devices ADD CONSTRAINT trusted_devices_pkey PRIMARY KEY (device_id);
ALTER TABLE ONLY public.trusted_devices ADD CONSTRAINT trusted_devices_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.used_trusted_tokens ADD CONSTRAINT used_trusted_tokens_pkey PRIMARY KEY (token_key);
ALTER TABLE ONLY public.users ADD CONSTRAINT users_external_id_key UNIQUE (external_id);
ALTER TABLE ONLY public.users ADD CONSTRAINT users_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.wallet_challenges ADD CONSTRAINT wallet_challenges_pkey PRIMARY KEY (challenge_hash);
ALTER TABLE ONLY public.webauthn_challenges ADD CONSTRAINT webauthn_challenges_pkey PRIMARY KEY (challenge_hash);
ALTER TABLE ONLY public.webauthn_registrations ADD CONSTRAINT webauthn_registrations_credential_id_key UNIQUE (credential_id);
ALTER TABLE ONLY public.webauthn_registrations ADD CONSTRAINT webauthn_registrations_pkey PRIMARY KEY (webauthn_registration_id);
ALTER TABLE ONLY public.webhook_endpoints ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (url);
CREATE INDEX account_codes_expiry ON public.account_codes USING btree (expires_at);
CREATE INDEX agents_created ON public.agents USING btree (origin, created_at);
CREATE INDEX agents_expiry ON public.agents USING btree (expires_at);
CREATE INDEX audit_counts_end ON public.audit_counts USING btree (window_end);
CREATE INDEX audit_log_age ON public.audit_log_before USING btree (created_at);
CREATE INDEX audit_log_default_created_at_idx ON public.audit_log_default USING btree (created_at);
CREATE INDEX audit_log_default_created_at_idx1 ON public.audit_log_default USING btree (created_at) WHERE (outcome = 'refused'::text);
CREATE INDEX audit_log_default_event_seq_idx ON public.audit_log_default USING btree (event, seq);
CREATE INDEX audit_log_default_network_seq_idx ON public.audit_log_default USING btree (network, seq) WHERE (network IS NOT NULL);
CREATE INDEX audit_log_default_user_id_seq_idx ON public.audit_log_default USING btree (user_id, seq);
CREATE INDEX audit_log_event ON public.audit_log_before USING btree (event, seq);
CREATE INDEX audit_log_network_seq ON public.audit_log_before USING btree (network, seq);
CREATE INDEX audit_log_refused ON public.audit_log_before USING btree (created_at) WHERE (outcome = 'refused'::text);
CREATE INDEX audit_log_user ON public.audit_log_before USING btree (user_id, seq);
CREATE INDEX authorization_codes_expiry ON public.authorization_codes USING btree (expires_at);
CREATE INDEX authorization_codes_grant ON public.authorization_codes USING btree (grant_id);
CREATE INDEX authorization_codes_session ON public.authorization_codes USING btree (session_id);
CREATE INDEX backend_calls_age ON public.backend_calls USING btree (created_at);
CREATE INDEX backend_calls_reading ON public.backend_calls USING btree (created_at) WHERE (NOT changes);
CREATE INDEX backend_calls_target ON public.backend_calls USING btree (target);
CREATE INDEX client_key_sets_expiry ON public.client_key_sets USING btree (expires_at);
CREATE INDEX connection_failures_expiry ON public.connection_failures USING btree (expires_at);
CREATE INDEX connection_failures_last ON public.connection_failures USING btree (last_at, failure_id);
CREATE INDEX connection_failures_owner ON public.connection_failures USING btree (owner, last_at);
CREATE INDEX crypto_wallets_user ON public.crypto_wallets USING btree (user_id);
CREATE INDEX device_authorizations_code ON public.device_authorizations USING btree (code_hash);
CREATE INDEX device_authorizations_expiry ON public.device_authorizations USING btree (expires_at);
CREATE INDEX emails_grams ON public.emails USING gin (public.text_grams(((email || ' '::text) || email_key)));
CREATE INDEX emails_unverified ON public.emails USING btree (user_id) WHERE (NOT verified);
CREATE INDEX emails_unverified_order ON public.emails USING btree (user_created_at, user_id) WHERE (NOT verified);
CREATE INDEX emails_user ON public.emails USING btree (user_id);
CREATE INDEX impersonation_tokens_expiry ON public.impersonation_tokens USING btree (expires_at);
CREATE INDEX impersonation_tokens_user_id ON public.impersonation_tokens USING btree (user_id);
CREATE INDEX intermediate_sessions_end ON public.intermediate_sessions USING btree (expires_at);
CREATE INDEX intermediate_sessions_session ON public.intermediate_sessions USING btree (session_id);
CREATE INDEX intermediate_sessions_user ON public.intermediate_sessions USING btree (user_id);
CREATE INDEX known_networks_last_login ON public.known_networks USING btree (last_login_at);
CREATE INDEX limit_windows_expiry ON public.limit_windows USING btree (expires_at);
CREATE INDEX magic_links_adds_to ON public.magic_links USING btree (adds_to);
CREATE INDEX magic_links_email_id ON public.magic_links USING btree (email_id);
CREATE INDEX magic_links_expiry ON public.magic_links USING btree (expires_at);
CREATE INDEX magic_links_user ON public.magic_links USING btree (user_id);
CREATE INDEX notice_links_expiry ON public.notice_links USING btree (expires_at);
CREATE INDEX notice_links_user ON public.notice_links USING btree (user_id);
CREATE INDEX notices_expiry ON public.notices USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX notices_untold ON public.notices USING btree (user_id) WHERE (told_at IS NULL);
CREATE INDEX notices_user ON public.notices USING btree (user_id, notice_id);
CREATE INDEX oauth_access_tokens_expiry ON public.oauth_access_tokens USING btree (expires_at);
CREATE INDEX oauth_access_tokens_family ON public.oauth_access_tokens USING btree (family_id);
CREATE INDEX oauth_attach_tokens_expiry ON public.oauth_attach_tokens USING btree (expires_at);
CREATE INDEX oauth_attach_tokens_user ON public.oauth_attach_tokens USING btree (user_id);
CREATE INDEX oauth_client_secrets_client ON public.oauth_client_secrets USING btree (client_id);
CREATE INDEX oauth_flows_expiry ON public.oauth_flows USING btree (expires_at);
CREATE INDEX oauth_flows_user ON public.oauth_flows USING btree (user_id);
CREATE INDEX oauth_grants_agent ON public.oauth_grants USING btree (agent_id) WHERE (agent_id IS NOT NULL);
CREATE INDEX oauth_grants_app ON public.oauth_grants USING btree (app_id);
CREATE INDEX oauth_refresh_tokens_family ON public.oauth_refresh_tokens USING btree (family_id);
CREATE INDEX oauth_registrations_user ON public.oauth_registrations USING btree (user_id);
CREATE INDEX oauth_token_families_age ON public.oauth_token_families USING btree (created_at);
CREATE INDEX oauth_token_families_grant ON public.oauth_token_families USING btree (grant_id);
CREATE INDEX oauth_tokens_expiry ON public.oauth_tokens USING btree (expires_at);
CREATE INDEX oauth_tokens_oauth_user_registration_id ON public.oauth_tokens USING btree (oauth_user_registration_id);
CREATE INDEX oauth_tokens_user ON public.oauth_tokens USING btree (user_id);
CREATE INDEX one_tap_callbacks_expiry ON public.one_tap_callbacks USING btree (expires_at);
CREATE INDEX operator_challenges_expiry ON public.operator_challenges USING btree (expires_at);
CREATE INDEX operator_challenges_operator ON public.operator_challenges USING btree (operator_id);
CREATE INDEX operator_invites_expiry ON public.operator_invites USING btree (expires_at);
CREATE INDEX operator_invites_operator ON public.operator_invites USING btree (operator_id);
CREATE INDEX operator_passkeys_operator ON public.operator_passkeys USING btree (operator_id);
CREATE INDEX operator_sessions_expiry ON public.operator_sessions USING btree (expires_at);
CREATE INDEX operator_sessions_operator ON public.operator_sessions USING btree (operator_id);
CREATE INDEX outbox_content ON public.outbox USING btree (expires_at) WHERE (text <> ''::text);
CREATE INDEX outbox_deletion ON public.outbox USING btree (delete_at) WHERE (delete_at IS NOT NULL);
CREATE INDEX outbox_due ON public.outbox USING btree (channel, next_at, seq) WHERE (state = 'waiting'::text);
CREATE INDEX outbox_due_logouts ON public.outbox USING btree (next_at, seq) WHERE ((state = 'waiting'::text) AND (channel = 'logout'::text));
CREATE INDEX outbox_due_webhooks ON public.outbox USING btree (recipient, next_at, seq) WHERE ((state = 'waiting'::text) AND (channel = 'webhook'::text));
CREATE INDEX outbox_user ON public.outbox USING btree (user_id);
CREATE INDEX passcodes_expiry ON public.passcodes USING btree (expires_at);
CREATE INDEX passcodes_method ON public.passcodes USING btree (method_id);
CREATE INDEX passcodes_user ON public.passcodes USING btree (user_id);
CREATE INDEX phone_numbers_grams ON public.phone_numbers USING gin (public.text_grams(phone_number));
CREATE INDEX phone_numbers_unverified ON public.phone_numbers USING btree (user_id) WHERE (NOT verified);
CREATE INDEX phone_numbers_unverified_order ON public.phone_numbers USING btree (user_created_at, user_id) WHERE (NOT verified);
CREATE INDEX phone_numbers_user ON public.phone_numbers USING btree (user_id);
CREATE INDEX pushed_requests_expiry ON public.pushed_requests USING btree (expires_at);
CREATE INDEX recoveries_due ON public.recoveries USING btree (available_at) WHERE ((state = 'waiting'::text) AND (announced_at IS NULL));
CREATE INDEX recoveries_expiry ON public.recoveries USING btree (expires_at);
CREATE INDEX recoveries_user ON public.recoveries USING btree (user_id);
CREATE UNIQUE INDEX recoveries_waiting ON public.recoveries USING btree (user_id) WHERE (state = 'waiting'::text);
CREATE INDEX session_tokens_session ON public.session_tokens USING btree (session_id);
CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_of_families ON public.sessions USING btree (family_id) WHERE (family_id IS NOT NULL);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id);
CREATE INDEX totps_expiry ON public.totps USING btree (expires_at) WHERE (NOT verified);
CREATE INDEX trusted_devices_end ON public.trusted_devices USING btree (expires_at);
CREATE INDEX trusted_devices_user ON public.trusted_devices USING btree (user_id);
CREATE INDEX used_trusted_tokens_expiry ON public.used_trusted_tokens USING btree (expires_at);
CREATE INDEX users_age ON public.users USING btree (created_at, user_id);
CREATE INDEX users_locked ON public.users USING btree (created_at, user_id) WHERE (locked_at IS NOT NULL);
CREATE INDEX users_name_grams ON public.users USING gin (public.text_grams(((((COALESCE((name ->> 'first_name'::text), ''::text) || ' '::text) || COALESCE((name ->> 'middle_name'::text), ''::text)) || ' '::text) || COALESCE((name ->> 'last_name'::text), ''::text)))) WHERE (name <> '{}'::jsonb);
CREATE INDEX users_pending ON public.users USING btree (created_at) WHERE (status = 'pending'::text);
CREATE INDEX users_proof_due ON public.users USING btree (proof_due_at) WHERE (proof_due_at IS NOT NULL);
CREATE INDEX wallet_challenges_expiry ON public.wallet_challenges USING btree (expires_at);
CREATE INDEX wallet_challenges_user_id ON public.wallet_challenges USING btree (user_id);
CREATE INDEX wallet_challenges_wallet ON public.wallet_challenges USING btree (crypto_wallet_type, crypto_wallet_address);
CREATE INDEX webauthn_challenges_expiry ON public.webauthn_challenges USING btree (expires_at);
CREATE INDEX webauthn_challenges_user_id ON public.webauthn_challenges USING btree (user_id);
CREATE INDEX webauthn_registrations_user ON public.webauthn_registrations USING btree (user_id);
CREATE TRIGGER app_session_ended AFTER DELETE ON public.app_sessions FOR EACH ROW EXECUTE FUNCTION public.tell_app_of_logout();
CREATE TRIGGER audit_account_restored AFTER INSERT ON public.notices FOR EACH ROW WHEN ((new.event = 'account.restored'::text)) EXECUTE FUNCTION public.log_notice();
CREATE TRIGGER audit_app_connected AFTER INSERT ON public.notices FOR EACH ROW WHEN ((new.event = 'app.connected'::text)) EXECUTE FUNCTION public.log_notice();
CREATE TRIGGER audit_device_added AFTER INSERT ON public.notices FOR EACH ROW WHEN ((new.event = 'device.added'::text)) EXECUTE FUNCTION public.log_notice();
CREATE TRIGGER audit_log_rows BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION public.audit_log_append_only();
CREATE TRIGGER audit_log_truncate BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION public.audit_log_append_only();
CREATE TRIGGER audit_log_truncate BEFORE TRUNCATE ON public.audit_log_before FOR EACH STATEMENT EXECUTE FUNCTION public.audit_log_append_only();
CREATE TRIGGER audit_log_truncate BEFORE TRUNCATE ON public.audit_log_default FOR EACH STATEMENT EXECUTE FUNCTION public.audit_log_append_only();
CREATE TRIGGER audit_recovery_available AFTER INSERT ON public.notices FOR EACH ROW WHEN ((new.event = 'recovery.available'::text)) EXECUTE FUNCTION public.log_notice();
CREATE TRIGGER audit_recovery_canceled AFTER INSERT ON public.notices FOR EACH ROW WHEN ((new.event = 'recovery.canceled'::text)) EXECUTE FUNCTION public.log_notice();
CREATE TRIGGER audit_recovery_code_used AFTER INSERT ON public.notices FOR EACH ROW WHEN ((new.event = 'recovery_code.used'::text)) EXECUTE FUNCTION public.log_notice();
CREATE TRIGGER audit_recovery_completed AFTER INSERT ON public.notices FOR EACH ROW WHEN ((new.event = 'recovery.completed'::text)) EXECUTE FUNCTION public.log_notice();
CREATE TRIGGER audit_recovery_started AFTER INSERT ON public.notices FOR EACH ROW WHEN ((new.event = 'recovery.started'::text)) EXECUTE FUNCTION public.log_notice();
CREATE TRIGGER notice_added AFTER INSERT ON public.crypto_wallets REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.note_added('crypto_wallet', 'crypto_wallet_id');
CREATE TRIGGER notice_added AFTER INSERT ON public.emails REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.note_added_verified('email', 'email_id');
CREATE TRIGGER notice_added AFTER INSERT ON public.oauth_registrations REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.note_added('oauth', 'oauth_user_registration_id');
CREATE TRIGGER notice_added AFTER INSERT ON public.passwords REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.note_added('password', 'password_id');
CREATE TRIGGER notice_added AFTER INSERT ON public.phone_numbers REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.note_added_verified('phone_number', 'phone_id');
CREATE TRIGGER notice_added AFTER INSERT ON public.totps REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.note_added_verified('totp', 'totp_id');
CREATE TRIGGER notice_added AFTER INSERT ON public.webauthn_registrations REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.note_added('webauthn', 'webauthn_registration_id');
CREATE TRIGGER notice_changed AFTER UPDATE OF requires_reset ON public.passwords FOR EACH ROW WHEN ((old.hash IS DISTINCT FROM new.hash)) EXECUTE FUNCTION public.note_change('password.changed', 'password', 'password_id');
CREATE TRIGGER notice_connected AFTER INSERT ON public.oauth_grants FOR EACH ROW EXECUTE FUNCTION public.note_change('app.connected', 'app', 'grant_id');
CREATE TRIGGER notice_proven AFTER UPDATE OF verified ON public.emails FOR EACH ROW WHEN (((NOT old.verified) AND new.verified)) EXECUTE FUNCTION public.note_change('factor.added', 'email', 'email_id');
CREATE TRIGGER notice_proven AFTER UPDATE OF verified ON public.phone_numbers FOR EACH ROW WHEN (((NOT old.verified) AND new.verified)) EXECUTE FUNCTION public.note_change('factor.added', 'phone_number', 'phone_id');
CREATE TRIGGER notice_proven AFTER UPDATE OF verified ON public.totps FOR EACH ROW WHEN (((NOT old.verified) AND new.verified)) EXECUTE FUNCTION public.note_change('factor.added', 'totp', 'totp_id');
CREATE TRIGGER notice_removed AFTER DELETE ON public.crypto_wallets FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.note_change('factor.removed', 'crypto_wallet', 'crypto_wallet_id');
CREATE TRIGGER notice_removed AFTER DELETE ON public.emails FOR EACH ROW WHEN (old.verified) EXECUTE FUNCTION public.note_change('factor.removed', 'email', 'email_id');
CREATE TRIGGER notice_removed AFTER DELETE ON public.oauth_registrations FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.note_change('factor.removed', 'oauth', 'oauth_user_registration_id');
CREATE TRIGGER notice_removed AFTER DELETE ON public.passwords FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.note_change('factor.removed', 'password', 'password_id');
CREATE TRIGGER notice_removed AFTER DELETE ON public.phone_numbers FOR EACH ROW WHEN (old.verified) EXECUTE FUNCTION public.note_change('factor.removed', 'phone_number', 'phone_id');
CREATE TRIGGER notice_removed AFTER DELETE ON public.totps FOR EACH ROW WHEN (old.verified) EXECUTE FUNCTION public.note_change('factor.removed', 'totp', 'totp_id');
CREATE TRIGGER notice_removed AFTER DELETE ON public.webauthn_registrations FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.note_change('factor.removed', 'webauthn', 'webauthn_registration_id');
CREATE TRIGGER policy_changed AFTER UPDATE OF mfa_policy, given_roles ON public.users FOR EACH ROW WHEN (((old.mfa_policy IS DISTINCT FROM new.mfa_policy) OR (old.given_roles IS DISTINCT FROM new.given_roles))) EXECUTE FUNCTION public.end_pending_of_user();
CREATE TRIGGER trust_changed AFTER UPDATE OF verified ON public.emails FOR EACH ROW WHEN ((old.verified IS DISTINCT FROM new.verified)) EXECUTE FUNCTION public.end_partial_trust();
CREATE TRIGGER trust_changed AFTER UPDATE OF requires_reset ON public.passwords FOR EACH ROW WHEN ((old.hash IS DISTINCT FROM new.hash)) EXECUTE FUNCTION public.end_partial_trust();
CREATE TRIGGER trust_changed AFTER UPDATE OF verified ON public.phone_numbers FOR EACH ROW WHEN ((old.verified IS DISTINCT FROM new.verified)) EXECUTE FUNCTION public.end_partial_trust();
CREATE TRIGGER trust_changed AFTER UPDATE OF verified ON public.totps FOR EACH ROW WHEN ((old.verified IS DISTINCT FROM new.verified)) EXECUTE FUNCTION public.end_partial_trust();
CREATE TRIGGER trust_removed AFTER DELETE ON public.crypto_wallets FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.end_partial_trust();
CREATE TRIGGER trust_removed AFTER DELETE ON public.emails FOR EACH ROW WHEN (old.verified) EXECUTE FUNCTION public.end_partial_trust();
CREATE TRIGGER trust_removed AFTER DELETE ON public.oauth_registrations FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.end_partial_trust();
CREATE TRIGGER trust_removed AFTER DELETE ON public.passwords FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.end_partial_trust();
CREATE TRIGGER trust_removed AFTER DELETE ON public.phone_numbers FOR EACH ROW WHEN (old.verified) EXECUTE FUNCTION public.end_partial_trust();
CREATE TRIGGER trust_removed AFTER DELETE ON public.totps FOR EACH ROW WHEN (old.verified) EXECUTE FUNCTION public.end_partial_trust();
CREATE TRIGGER trust_removed AFTER DELETE ON public.webauthn_registrations FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.end_partial_trust();
CREATE TRIGGER user_created BEFORE INSERT OR UPDATE OF verified, user_id ON public.emails FOR EACH ROW WHEN ((NOT new.verified)) EXECUTE FUNCTION public.contact_user_created();
CREATE TRIGGER user_created BEFORE INSERT OR UPDATE OF verified, user_id ON public.phone_numbers FOR EACH ROW WHEN ((NOT new.verified)) EXECUTE FUNCTION public.contact_user_created();
CREATE TRIGGER webhook_account_restored AFTER INSERT ON public.notices FOR EACH ROW WHEN ((new.event = 'account.restored'::text)) EXECUTE FUNCTION public.tell_webhooks('account.restored');
CREATE TRIGGER webhook_added AFTER INSERT ON public.crypto_wallets REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.tell_added('factor.added', 'factor_id', 'crypto_wallet_id', 'crypto_wallet');
CREATE TRIGGER webhook_added AFTER INSERT ON public.emails REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.tell_added_verified('factor.added', 'factor_id', 'email_id', 'email');
CREATE TRIGGER webhook_added AFTER INSERT ON public.oauth_registrations REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.tell_added('factor.added', 'factor_id', 'oauth_user_registration_id', 'oauth');
CREATE TRIGGER webhook_added AFTER INSERT ON public.passwords REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.tell_added('factor.added', 'factor_id', 'password_id', 'password');
CREATE TRIGGER webhook_added AFTER INSERT ON public.phone_numbers REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.tell_added_verified('factor.added', 'factor_id', 'phone_id', 'phone_number');
CREATE TRIGGER webhook_added AFTER INSERT ON public.totps REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.tell_added_verified('factor.added', 'factor_id', 'totp_id', 'totp');
CREATE TRIGGER webhook_added AFTER INSERT ON public.webauthn_registrations REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.tell_added('factor.added', 'factor_id', 'webauthn_registration_id', 'webauthn');
CREATE TRIGGER webhook_app_connected AFTER INSERT ON public.notices FOR EACH ROW WHEN ((new.event = 'app.connected'::text)) EXECUTE FUNCTION public.tell_webhooks('app.connected');
CREATE TRIGGER webhook_changed AFTER UPDATE OF requires_reset ON public.passwords FOR EACH ROW WHEN ((old.hash IS DISTINCT FROM new.hash)) EXECUTE FUNCTION public.tell_webhooks('password.changed');
CREATE TRIGGER webhook_created AFTER INSERT ON public.sessions FOR EACH ROW EXECUTE FUNCTION public.tell_webhooks('session.created', 'session_id', 'session_id');
CREATE TRIGGER webhook_created AFTER INSERT ON public.users REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.tell_added_known('user.created');
CREATE TRIGGER webhook_deleted AFTER DELETE ON public.users FOR EACH ROW WHEN (((old.status = 'active'::text) OR old.managed)) EXECUTE FUNCTION public.tell_webhooks('user.deleted');
CREATE TRIGGER webhook_device_added AFTER INSERT ON public.notices FOR EACH ROW WHEN ((new.event = 'device.added'::text)) EXECUTE FUNCTION public.tell_webhooks('device.added');
CREATE TRIGGER webhook_known AFTER UPDATE OF status, managed ON public.users FOR EACH ROW WHEN (((NOT ((old.status = 'active'::text) OR old.managed)) AND ((new.status = 'active'::text) OR new.managed))) EXECUTE FUNCTION public.tell_webhooks('user.created');
CREATE TRIGGER webhook_proven AFTER UPDATE OF verified ON public.emails FOR EACH ROW WHEN (((NOT old.verified) AND new.verified)) EXECUTE FUNCTION public.tell_webhooks('factor.added', 'factor_id', 'email_id', 'email');
CREATE TRIGGER webhook_proven AFTER UPDATE OF verified ON public.phone_numbers FOR EACH ROW WHEN (((NOT old.verified) AND new.verified)) EXECUTE FUNCTION public.tell_webhooks('factor.added', 'factor_id', 'phone_id', 'phone_number');
CREATE TRIGGER webhook_proven AFTER UPDATE OF verified ON public.totps FOR EACH ROW WHEN (((NOT old.verified) AND new.verified)) EXECUTE FUNCTION public.tell_webhooks('factor.added', 'factor_id', 'totp_id', 'totp');
CREATE TRIGGER webhook_recovery_available AFTER INSERT ON public.notices FOR EACH ROW WHEN ((new.event = 'recovery.available'::text)) EXECUTE FUNCTION public.tell_webhooks('recovery.available');
CREATE TRIGGER webhook_recovery_canceled AFTER INSERT ON public.notices FOR EACH ROW WHEN ((new.event = 'recovery.canceled'::text)) EXECUTE FUNCTION public.tell_webhooks('recovery.canceled');
CREATE TRIGGER webhook_recovery_code_used AFTER INSERT ON public.notices FOR EACH ROW WHEN ((new.event = 'recovery_code.used'::text)) EXECUTE FUNCTION public.tell_webhooks('recovery_code.used');
CREATE TRIGGER webhook_recovery_codes_renewed AFTER INSERT ON public.notices FOR EACH ROW WHEN ((new.event = 'recovery_codes.renewed'::text)) EXECUTE FUNCTION public.tell_webhooks('recovery_codes.renewed');
CREATE TRIGGER webhook_recovery_completed AFTER INSERT ON public.notices FOR EACH ROW WHEN ((new.event = 'recovery.completed'::text)) EXECUTE FUNCTION public.tell_webhooks('recovery.completed');
CREATE TRIGGER webhook_recovery_started AFTER INSERT ON public.notices FOR EACH ROW WHEN ((new.event = 'recovery.started'::text)) EXECUTE FUNCTION public.tell_webhooks('recovery.started');
CREATE TRIGGER webhook_removed AFTER DELETE ON public.crypto_wallets FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.tell_webhooks('factor.removed', 'factor_id', 'crypto_wallet_id', 'crypto_wallet');
CREATE TRIGGER webhook_removed AFTER DELETE ON public.emails FOR EACH ROW WHEN (old.verified) EXECUTE FUNCTION public.tell_webhooks('factor.removed', 'factor_id', 'email_id', 'email');
CREATE TRIGGER webhook_removed AFTER DELETE ON public.oauth_registrations FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.tell_webhooks('factor.removed', 'factor_id', 'oauth_user_registration_id', 'oauth');
CREATE TRIGGER webhook_removed AFTER DELETE ON public.passwords FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.tell_webhooks('factor.removed', 'factor_id', 'password_id', 'password');
CREATE TRIGGER webhook_removed AFTER DELETE ON public.phone_numbers FOR EACH ROW WHEN (old.verified) EXECUTE FUNCTION public.tell_webhooks('factor.removed', 'factor_id', 'phone_id', 'phone_number');
CREATE TRIGGER webhook_removed AFTER DELETE ON public.totps FOR EACH ROW WHEN (old.verified) EXECUTE FUNCTION public.tell_webhooks('factor.removed', 'factor_id', 'totp_id', 'totp');
CREATE TRIGGER webhook_removed AFTER DELETE ON public.webauthn_registrations FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.tell_webhooks('factor.removed', 'factor_id', 'webauthn_registration_id', 'webauthn');
CREATE TRIGGER webhook_revoked AFTER DELETE ON public.sessions FOR EACH ROW WHEN ((old.expires_at > clock_timestamp())) EXECUTE FUNCTION public.tell_webhooks('session.revoked', 'session_id', 'session_id');
CREATE TRIGGER webhook_updated AFTER UPDATE OF name, trusted_metadata, untrusted_metadata, external_id, given_roles ON public.users FOR EACH ROW WHEN ((((old.status = 'active'::text) OR old.managed) AND (((((old.name IS DISTINCT FROM new.name) OR (old.trusted_metadata IS DISTINCT FROM new.trusted_metadata)) OR (old.untrusted_metadata IS DISTINCT FROM new.untrusted_metadata)) OR (old.external_id IS DISTINCT FROM new.external_id)) OR (old.given_roles IS DISTINCT FROM new.given_roles)))) EXECUTE FUNCTION public.tell_webhooks('user.updated');
ALTER TABLE ONLY public.app_sessions ADD CONSTRAINT app_sessions_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(session_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.authorization_codes ADD CONSTRAINT authorization_codes_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES public.oauth_grants(grant_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.authorization_codes ADD CONSTRAINT authorization_codes_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(session_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.crypto_wallets ADD CONSTRAINT crypto_wallets_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.device_authorizations ADD CONSTRAINT device_authorizations_code_hash_fkey FOREIGN KEY (code_hash) REFERENCES public.authorization_codes(code_hash) ON DELETE CASCADE;
ALTER TABLE ONLY public.emails ADD CONSTRAINT emails_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.impersonation_tokens ADD CONSTRAINT impersonation_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.intermediate_sessions ADD CONSTRAINT intermediate_sessions_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(session_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.intermediate_sessions ADD CONSTRAINT intermediate_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.known_networks ADD CONSTRAINT known_networks_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.magic_links ADD CONSTRAINT magic_links_adds_to_fkey FOREIGN KEY (adds_to) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.magic_links ADD CONSTRAINT magic_links_email_id_fkey FOREIGN KEY (email_id) REFERENCES public.emails(email_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.magic_links ADD CONSTRAINT magic_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.notice_links ADD CONSTRAINT notice_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.notices ADD CONSTRAINT notices_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_access_tokens ADD CONSTRAINT oauth_access_tokens_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.oauth_token_families(family_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_attach_tokens ADD CONSTRAINT oauth_attach_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_flows ADD CONSTRAINT oauth_flows_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_grants ADD CONSTRAINT oauth_grants_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(client_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_grants ADD CONSTRAINT oauth_grants_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.connected_apps(client_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_grants ADD CONSTRAINT oauth_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_refresh_tokens ADD CONSTRAINT oauth_refresh_tokens_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.oauth_token_families(family_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_registrations ADD CONSTRAINT oauth_registrations_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_token_families ADD CONSTRAINT oauth_token_families_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES public.oauth_grants(grant_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_tokens ADD CONSTRAINT oauth_tokens_oauth_user_registration_id_fkey FOREIGN KEY (oauth_user_registration_id) REFERENCES public.oauth_registrations(oauth_user_registration_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_tokens ADD CONSTRAINT oauth_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.operator_challenges ADD CONSTRAINT operator_challenges_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES public.operators(operator_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.operator_invites ADD CONSTRAINT operator_invites_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES public.operators(operator_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.operator_passkeys ADD CONSTRAINT operator_passkeys_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES public.operators(operator_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.operator_sessions ADD CONSTRAINT operator_sessions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES public.operators(operator_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.outbox ADD CONSTRAINT outbox_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.passcodes ADD CONSTRAINT passcodes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.passwords ADD CONSTRAINT passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.pending_oauth_registrations ADD CONSTRAINT pending_oauth_registrations_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(session_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.phone_numbers ADD CONSTRAINT phone_numbers_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.recoveries ADD CONSTRAINT recoveries_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.recovery_codes ADD CONSTRAINT recovery_codes_totp_id_fkey FOREIGN KEY (totp_id) REFERENCES public.totps(totp_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.session_tokens ADD CONSTRAINT session_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(session_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sessions ADD CONSTRAINT sessions_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.oauth_token_families(family_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sessions ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.totps ADD CONSTRAINT totps_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.trusted_devices ADD CONSTRAINT trusted_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.wallet_challenges ADD CONSTRAINT wallet_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webauthn_challenges ADD CONSTRAINT webauthn_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webauthn_registrations ADD CONSTRAINT webauthn_registrations_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
INSERT INTO public.kysely_migration SELECT name, '2026-11-29T00:00:00.000Z' FROM unnest(string_to_array('0001_sign_in_by_email
0002_passwords_and_phones
0003_passkeys_wallets_social
0004_access
0005_authorization_server
0006_trusted_tokens
0007_account_safety
0008_indexes
0009_lock_out
0010_outbox_expiry
0011_keys
0012_backend_api
0013_backend_clients
0014_backend_login
0015_vouched_factors
0016_delivery
0017_webhooks
0018_social_logins
0019_audit_log
0020_operators
0021_hot_rows
0022_passkey_details
0023_social_identities
0024_proof_of_address
0025_session_ends
0026_unproven_users
0027_audit_counts
0028_refresh_grace
0029_pushed_requests
0030_proof_of_possession
0031_second_factor
0036_notices
0037_recoveries
0041_audiences
0042_agents
0045_device_authorizations
0046_back_channel_logout
0051_recovery_ends
0052_connection_failures
0053_disputed_passkeys
0054_waiting_logins
0060_leases
0061_text_grams
0062_search_indexes
0070_renewed_codes
0075_client_key_sets
0076_agent_networks
0080_undelivered_recoveries
0090_notes_of_many
0091_imports_in_bulk
0110_bound_sessions
0111_bound_trials
0115_audit_stream
0116_attested_passkeys
0118_proof_keys
0119_family_index
0120_fewer_index_entries
0121_silent_registrations
0124_passkey_sign_ups
0125_passkey_funnel
0126_audit_months
0127_unverified_contacts
0128_unverified_order
0129_audit_months_of_clocks
0130_contacts_under_lock
0131_compressed_wal
0132_pending_users
0133_accounts_of_steps
0134_pending_ends
0137_failure_networks
0138_sessions_of_trusted_browsers
0141_disputed_factors
0142_oldest_of_disputes
0143_folded_texts', chr(10))) AS name;
INSERT INTO public.users VALUES ('user-1', '2026-11-01 10:00:00+00', 'active', '{"first_name": "Zoë"}', '{}', '{"odd": "a \"b\" (c), \\ ü"}', '["member"]', 'external-1', true, false, '["admin"]', NULL, NULL, 'required', NULL, NULL);
INSERT INTO public.users VALUES ('user-2', '2026-11-02 10:00:00+00', 'pending', '{}', '{}', '{}', '[]');
INSERT INTO public.emails VALUES ('email-1', 'user-1', 'Zoe@example.com', 'zoe@example.com', true, '2026-11-01 10:00:00+00', 'session-1', NULL);
INSERT INTO public.emails VALUES ('email-2', 'user-2', 'two@example.com', 'two@example.com', false, '2026-11-02 10:00:00+00', NULL, '2026-11-02 10:00:00+00');
INSERT INTO public.phone_numbers VALUES ('phone-1', 'user-1', '+12025550123', true, '2026-11-03 10:00:00+00', NULL, NULL, NULL);
INSERT INTO public.passwords VALUES ('password-1', 'user-1', 'hash', false, '2026-11-01 10:00:00+00', 'session-1');
INSERT INTO public.sessions VALUES ('session-1', 'user-1', '2026-11-01 10:00:00+00', '2026-11-01 10:00:00+00', '2036-11-01 10:00:00+00', '{}', '[]');
INSERT INTO public.session_tokens VALUES ('token-1', 'session-1', 1);
INSERT INTO public.limit_windows VALUES ('bucket', '2026-11-01 10:00:00+00', 3, '2036-11-01 10:00:00+00');
INSERT INTO public.sealed_keys VALUES ('other-keys', 'sealed');
INSERT INTO public.audit_log (created_at, event, outcome, user_id, actor_kind) VALUES ('2026-11-01 10:00:00+00', 'login', 'ok', 'user-1', 'user');
INSERT INTO public.audit_log (created_at, event, outcome, actor_kind) VALUES ('2036-11-01 10:00:00+00', 'login', 'refused', 'user');
INSERT INTO public.outbox (id, channel, recipient, subject, text, at, expires_at) VALUES ('message-1', 'email', 'zoe@example.com', 'Hello', 'Text', '2026-11-01 10:00:00+00', '2036-11-01 10:00:00+00');
