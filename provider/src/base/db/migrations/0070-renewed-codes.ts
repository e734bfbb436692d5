/** Webhooks are told of new recovery codes. The call writes the audit log. */
export const RENEWED_CODES: readonly string[] = [
  `create trigger webhook_recovery_codes_renewed after insert on notices for each row
     when (new.event = 'recovery_codes.renewed') execute function tell_webhooks('recovery_codes.renewed')`,
];
