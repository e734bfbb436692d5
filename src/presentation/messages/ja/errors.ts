import type { ErrorKey } from '../catalogue.ts';

/** The texts of errors in Japanese. */
export const jaErrors: Readonly<Record<ErrorKey, string>> = {
  'error.passkey_already_registered':
    'このパスキーはすでに登録されているようなので、作成できません。別のデバイスで登録され、同期された可能性があります。',
  'error.duplicate_webauthn_registration':
    'このパスキーはすでに登録されているようなので、作成できません。別のデバイスで登録され、同期された可能性があります。',
  'error.passkey_not_created':
    'パスキーは作成されませんでした。「パスキーを作成」を押してやり直すか、追加せずにスキップしてください。',
  'error.passkey_not_created.elsewhere':
    'パスキーは作成されませんでした。もう一度試すか、別のブラウザやデバイスをお使いください。',
  'unreachable.network': 'サーバーに接続できません。',
  'unreachable.offline': 'オフラインです。接続を確認して、もう一度お試しください。',
  'unreachable.invalid-json': 'こちらで問題が発生しました。もう一度お試しください。',
  'unreachable.invalid-response': 'こちらで問題が発生しました。もう一度お試しください。',
  'unreachable.captcha-required': 'サーバーから無効な応答を受け取りました。',
  'error.invalid_email': 'メールアドレスの形式が正しくありません。',
  'error.invalid_phone_number': '電話番号が正しくないようです。国と番号を確認してください。',
  'error.unsubscribed_phone_number':
    'この電話番号ではメッセージの受信が停止されています。受信を再開するには、メッセージの送信元の番号に「START」と送信してください。',
  'error.sign_up_refused':
    'この方法では新しいアカウントを作成できません。アカウントをお持ちの場合は、これまでと同じ方法でログインしてください。お持ちでない場合は、このサイトに招待を依頼してください。',
  'error.hook_refused': 'このサイトでは、現在ログインが許可されていません。サイトのサポートにお問い合わせください。',
  'error.user_locked': 'このアカウントはロックされています。このサイトのサポートにお問い合わせください。',
  'error.inactive_email': 'このメールアドレスには送信できません。別のアドレスを使うか、管理者にお問い合わせください。',
  'error.unauthorized_credentials': 'メールアドレスまたはパスワードが正しくありません。',
  'error.user_unauthenticated': 'この操作にはログインが必要です。',
  'error.email_not_found': 'メールアドレスが見つかりません。',
  'error.unable_to_auth_magic_link':
    'このリンクはすでに使用されているか、有効期限が切れています。もう一度お試しください。',
  'error.no_user_password': 'このアカウントにはパスワードが設定されていません。',
  'error.breached_password':
    'このパスワードは漏えいしたパスワードの一覧に含まれています。ログインする前に再設定してください。',
  'error.reset_password': 'パスワードの再設定が必要です。',
  'error.oauth_token_not_found': 'このログインは有効期限が切れました。もう一度お試しください。',
  'error.invalid_code': 'コードの形式が正しくありません。もう一度お試しください。',
  'error.member_password_not_found': 'このメンバーにはパスワードが設定されていません。',
  'error.oauth_flow_callback_error': 'ログインを完了できませんでした。もう一度お試しください。',
  'error.unauthorized_action': 'この操作は許可されていません。',
  'error.intermediate_session_not_found': 'ログインに時間がかかりすぎました。もう一度ログインしてください。',
  'error.mfa_factor_not_allowed': 'このログインには使用できません。別の方法を選択してください。',
  'error.profile_required': '不足しているか、使えない内容があります。入力を確認してください。',
  'error.too_many_mfa_attempts': '誤ったコードが多すぎます。後でもう一度ログインしてください。',
  'error.recovery_codes_shown_once': 'リカバリーコードは認証アプリの設定時に一度だけ表示されます。',
  'error.trusted_device_not_found': 'このブラウザはもう信頼されていません。',
  'error.mfa_required':
    'この操作には二要素認証が必要です。先に認証アプリのコードを入力してから、もう一度お試しください。',
  'error.user_lock_limit_reached': 'ログインの失敗回数が上限に達しました。しばらくしてからもう一度お試しください。',
  'error.invalid_session_token': 'ログインの有効期限が切れました。もう一度ログインしてください。',
  'error.session_not_found': 'ログインの有効期限が切れました。もう一度ログインしてください。',
  'error.invalid_phone_number_country_code':
    'この国番号は正しくないか、対応していないか、無効になっています。別の電話番号をお使いください。',
  'error.otp_code_not_found': '認証コードが正しくありません。もう一度お試しください。',
  'error.otp_code_not_found.expired': 'このコードは有効期限が切れています。新しいコードを送信してください。',
  'error.otp_code_not_found.tries_used':
    '誤ったコードが5回入力されたため、このコードは使えなくなりました。新しいコードを送信してください。',
  'error.otp_code_not_found.replaced':
    'このコードは新しいコードに置き換えられました。最新のメッセージのコードを入力してください。',
  'error.duplicate_email':
    'このメールアドレスは別のアカウントで使われています。別のアドレスを使うか、そのアドレスでログインしてください。',
  'error.phone_number_not_found': 'この電話番号のアカウントはありません。',
  'error.duplicate_phone_number':
    'この電話番号は別のアカウントで使われています。別の番号を使うか、その番号でログインしてください。',
  'error.weak_password': 'このパスワードは推測されやすいです。より長いもの、または一般的でないものを選んでください。',
  'error.password_too_long': 'このパスワードは長すぎます。短いものを選んでください。',
  'error.active_totp_exists': '認証アプリはすでに設定されています。別のアプリを追加する前に削除してください。',
  'error.totp_not_found': '認証アプリが設定されていないか、時間内に確認されませんでした。もう一度設定してください。',
  'error.recovery_code_not_found': 'このリカバリーコードは間違っているか、使用済みです。別のコードを入力してください。',
  'error.cannot_delete_last_factor': 'これは最後のログイン方法です。先に別の方法を追加してください。',
  'error.gone': 'これはもうアカウントに登録されていません。ページを再読み込みしてください。',
  'error.invalid_webauthn_name': '1文字から120文字の名前を入力してください。',
  'error.webauthn_challenge_not_found': '時間がかかりすぎました。もう一度パスキーを使ってください。',
  'error.webauthn_verification_failed':
    'このパスキーを確認できませんでした。もう一度試すか、別の方法でログインしてください。',
  'error.crypto_wallet_challenge_not_found': '時間がかかりすぎました。もう一度ウォレットを接続してください。',
  'error.invalid_crypto_wallet_signature':
    'ウォレットの署名を確認できませんでした。もう一度接続してください。スマートコントラクトのウォレットはここでは利用できません。',
  'error.unsupported_crypto_wallet':
    'この種類のウォレットはここでは利用できません。別のウォレットを使うか、別の方法でログインしてください。',
  'error.crypto_wallet_request_pending':
    'ウォレットに以前のリクエストが残っています。ウォレットを開いて応答してから、もう一度お試しください。',
  'error.duplicate_crypto_wallet': 'このウォレットは別のアカウントで使われています。別のウォレットを使ってください。',
  'error.oauth_config_not_found': 'この方法はここでは利用できません。別の方法を選んでください。',
  'error.pkce_mismatch':
    'このリンクは、リクエストしたブラウザでのみ使えます。そのブラウザで開くか、新しいリンクをリクエストしてください。',
  'error.login_required': '続けるには、もう一度ログインしてください。',
  'error.login_required.new_method':
    'このログイン方法はアカウントに追加されたばかりです。ログアウトし、以前からある方法でログインしてください。',
  'error.consent_required': 'このアプリには先に許可が必要です。もう一度開いてください。',
  'error.user_code_not_found':
    'コードが正しくないか、期限切れです。デバイスで確認するか、デバイスで最初からやり直してください。',
  'error.invalid_authorization_request': 'このリクエストは期限切れです。アプリに戻って、もう一度やり直してください。',
  'error.account_mismatch':
    'アプリは別のアカウントを求めています。ここでログアウトしてから、そのアカウントでログインしてください。',
  'error.user_not_found': 'このアカウントはもう存在しません。もう一度ログインまたは登録してください。',
  'error.too_many_factors': 'アカウントに登録できる数の上限に達しています。1つ削除してから、もう一度お試しください。',
  'error.too_many_requests': 'リクエストが多すぎます。少し待ってからもう一度お試しください。',
  'error.request_timeout': 'リクエストが時間内に届きませんでした。接続を確認して、もう一度お試しください。',
  'error.internal_server_error': 'こちらで問題が発生しました。もう一度お試しください。',
  'error.service_unavailable': 'ただいまサービスが混み合っています。しばらくしてからもう一度お試しください。',
  'error.invalid_access_token': 'このログインは期限切れか、取り消されました。もう一度ログインしてください。',
  'error.app': 'アプリのリクエストに誤りがあります。開発者に次の内容をお伝えください：{message}',
  'error.duplicate_member_phone_number': 'この電話番号のメンバーは、すでにこの組織に登録されています。',
  'error.webauthn_registration_not_found':
    'このパスキーは登録されていません。アカウントからは削除されていますが、パスワードマネージャーには残っている可能性があります。もう一度お試しください。',
  'error.passkey_login_failed': 'パスキーでログインできませんでした。もう一度試すか、別の方法でログインしてください。',
};
