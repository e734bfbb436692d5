import type { ErrorKey } from '../catalogue.ts';

/** The texts of errors in Spanish. */
export const esErrors: Readonly<Record<ErrorKey, string>> = {
  'error.passkey_already_registered':
    'No se puede crear la llave de acceso porque parece que ya está registrada. Es posible que se registrara en otro dispositivo y se haya sincronizado.',
  'error.duplicate_webauthn_registration':
    'No se puede crear la llave de acceso porque parece que ya está registrada. Es posible que se registrara en otro dispositivo y se haya sincronizado.',
  'error.passkey_not_created':
    'No se ha creado tu llave de acceso. Pulsa «Crear una llave de acceso» para intentarlo de nuevo o continúa sin añadir ninguna.',
  'error.passkey_not_created.elsewhere':
    'No se ha creado tu llave de acceso. Inténtalo de nuevo o usa otro navegador o dispositivo.',
  'unreachable.network': 'No podemos conectar con nuestros servidores.',
  'unreachable.offline': 'No tienes conexión. Compruébala y vuelve a intentarlo.',
  'unreachable.invalid-json': 'Algo ha fallado por nuestra parte. Vuelve a intentarlo.',
  'unreachable.invalid-response': 'Algo ha fallado por nuestra parte. Vuelve a intentarlo.',
  'unreachable.captcha-required': 'Nuestros servidores han enviado una respuesta no válida.',
  'error.invalid_email': 'El formato del correo electrónico no es válido.',
  'error.invalid_phone_number': 'Este número de teléfono no es correcto. Comprueba el país y el número.',
  'error.unsubscribed_phone_number':
    'Este número de teléfono se ha dado de baja de nuestros mensajes. Para volver a recibirlos, envía «START» al número desde el que llegaban.',
  'error.sign_up_refused':
    'Aquí no se puede crear una cuenta nueva de esta forma. Si tienes una cuenta, inicia sesión como siempre. Si no, pide una invitación a este sitio.',
  'error.hook_refused': 'Este sitio no te permite entrar. Ponte en contacto con el soporte de este sitio.',
  'error.user_locked': 'Esta cuenta está bloqueada. Ponte en contacto con el soporte de este sitio.',
  'error.inactive_email':
    'No podemos enviar correos a esta dirección. Usa otra o ponte en contacto con la administración.',
  'error.unauthorized_credentials': 'La dirección o la contraseña no son correctas.',
  'error.user_unauthenticated': 'Primero, inicia sesión.',
  'error.email_not_found': 'No hemos encontrado ese correo electrónico.',
  'error.unable_to_auth_magic_link': 'Este enlace ya se ha usado o ha caducado. Inténtalo de nuevo.',
  'error.no_user_password': 'Esta cuenta no tiene contraseña.',
  'error.breached_password':
    'Esta contraseña aparece en una lista de contraseñas filtradas. Restablécela antes de iniciar sesión.',
  'error.reset_password': 'Debes restablecer la contraseña.',
  'error.oauth_token_not_found': 'Este inicio de sesión ha caducado. Inténtalo de nuevo.',
  'error.invalid_code': 'El formato del código no es válido. Inténtalo de nuevo.',
  'error.member_password_not_found': 'Este miembro no tiene contraseña.',
  'error.oauth_flow_callback_error': 'No se ha podido completar el inicio de sesión. Inténtalo de nuevo.',
  'error.unauthorized_action': 'Esta acción no está autorizada.',
  'error.intermediate_session_not_found': 'Este inicio de sesión ha tardado demasiado. Inicia sesión de nuevo.',
  'error.mfa_factor_not_allowed': 'Esto no se puede usar para este inicio de sesión. Elige otra forma.',
  'error.profile_required': 'Falta algo o no se puede usar aquí. Revisa lo que has introducido.',
  'error.too_many_mfa_attempts': 'Demasiados códigos incorrectos. Inicia sesión de nuevo más tarde.',
  'error.recovery_codes_shown_once':
    'Los códigos de recuperación solo se muestran una vez, al configurar la aplicación de autenticación.',
  'error.trusted_device_not_found': 'Este navegador ya no es de confianza.',
  'error.mfa_required':
    'Para esto se necesita tu segundo factor. Introduce primero un código de tu aplicación de autenticación y vuelve a intentarlo.',
  'error.user_lock_limit_reached': 'Demasiados intentos fallidos. Inténtalo de nuevo más tarde.',
  'error.invalid_session_token': 'Tu sesión ha terminado. Inicia sesión de nuevo.',
  'error.session_not_found': 'Tu sesión ha terminado. Inicia sesión de nuevo.',
  'error.invalid_phone_number_country_code':
    'Este prefijo de país no es válido, no es compatible o está desactivado. Usa otro número de teléfono.',
  'error.otp_code_not_found': 'El código no es válido. Inténtalo de nuevo.',
  'error.otp_code_not_found.expired': 'Este código ha caducado. Pide uno nuevo.',
  'error.otp_code_not_found.tries_used':
    'Este código ya no sirve porque se ha introducido uno erróneo cinco veces. Pide uno nuevo.',
  'error.otp_code_not_found.replaced':
    'Este código se ha sustituido por otro más reciente. Introduce el del último mensaje.',
  'error.duplicate_email': 'Esta dirección de correo pertenece a otra cuenta. Usa otra o inicia sesión con ella.',
  'error.phone_number_not_found': 'Ninguna cuenta tiene este número de teléfono.',
  'error.duplicate_phone_number': 'Este número de teléfono pertenece a otra cuenta. Usa otro o inicia sesión con él.',
  'error.weak_password': 'Esta contraseña es demasiado fácil de adivinar. Elige una más larga o menos común.',
  'error.password_too_long': 'Esta contraseña es demasiado larga. Elige una más corta.',
  'error.active_totp_exists': 'Ya tienes una aplicación de autenticación. Quítala antes de añadir otra.',
  'error.totp_not_found':
    'Tu cuenta no tiene aplicación de autenticación, o no se confirmó a tiempo. Configúrala de nuevo.',
  'error.recovery_code_not_found': 'Este código de recuperación es erróneo o ya se ha usado. Introduce otro.',
  'error.cannot_delete_last_factor': 'Es tu última forma de iniciar sesión. Añade otra primero.',
  'error.gone': 'Esto ya no forma parte de tu cuenta. Vuelve a cargar la página.',
  'error.invalid_webauthn_name': 'Introduce un nombre de 1 a 120 caracteres.',
  'error.webauthn_challenge_not_found': 'Ha tardado demasiado. Usa tu llave de acceso otra vez.',
  'error.webauthn_verification_failed':
    'No se ha podido verificar esta llave de acceso. Inténtalo de nuevo o inicia sesión de otra forma.',
  'error.crypto_wallet_challenge_not_found': 'Ha tardado demasiado. Conecta tu cartera otra vez.',
  'error.invalid_crypto_wallet_signature':
    'No se ha podido verificar la firma de tu cartera. Conéctala otra vez. Aquí no se admiten carteras de contratos inteligentes.',
  'error.unsupported_crypto_wallet':
    'Este tipo de cartera no se admite aquí. Usa otra cartera o inicia sesión de otra forma.',
  'error.crypto_wallet_request_pending':
    'Tu cartera todavía muestra una solicitud anterior. Abre la cartera, respóndela e inténtalo de nuevo.',
  'error.duplicate_crypto_wallet': 'Esta cartera pertenece a otra cuenta. Usa otra.',
  'error.oauth_config_not_found': 'Esta opción no está disponible aquí. Elige otra.',
  'error.pkce_mismatch':
    'Este enlace solo funciona en el navegador en el que lo pediste. Ábrelo allí o pide uno nuevo.',
  'error.login_required': 'Inicia sesión de nuevo para continuar.',
  'error.login_required.new_method':
    'Esta forma de iniciar sesión es nueva en tu cuenta. Cierra la sesión y entra con una que ya tenías antes.',
  'error.consent_required': 'Esta aplicación necesita antes tu permiso. Ábrela de nuevo.',
  'error.user_code_not_found':
    'Este código es incorrecto o ha caducado. Compruébalo en el dispositivo o empieza allí de nuevo.',
  'error.invalid_authorization_request': 'Esta solicitud ha caducado. Vuelve a la aplicación y empieza de nuevo.',
  'error.account_mismatch': 'La aplicación espera otra cuenta. Cierra la sesión aquí y entra con la otra cuenta.',
  'error.user_not_found': 'Esta cuenta ya no existe. Inicia sesión o regístrate de nuevo.',
  'error.too_many_factors': 'Tu cuenta ya tiene el máximo de estos. Elimina uno y vuelve a intentarlo.',
  'error.too_many_requests': 'Demasiadas solicitudes. Espera un poco y vuelve a intentarlo.',
  'error.request_timeout': 'Tu solicitud ha tardado demasiado en llegar. Comprueba la conexión y vuelve a intentarlo.',
  'error.internal_server_error': 'Algo ha fallado por nuestra parte. Vuelve a intentarlo.',
  'error.service_unavailable': 'El servicio está ocupado en este momento. Vuelve a intentarlo dentro de un momento.',
  'error.invalid_access_token': 'Este inicio de sesión ha caducado o se ha revocado. Inicia sesión de nuevo.',
  'error.app': 'Esta aplicación ha hecho una solicitud incorrecta. Comunícaselo a los desarrolladores: {message}',
  'error.duplicate_member_phone_number': 'Ya hay un miembro con este número de teléfono en esta organización.',
  'error.webauthn_registration_not_found':
    'No se ha encontrado esta llave de acceso. Puede que la hayas eliminado de tu cuenta, pero no de tu gestor de contraseñas. Inténtalo de nuevo.',
  'error.passkey_login_failed':
    'La llave de acceso no ha funcionado. Inténtalo de nuevo o inicia sesión de otra forma.',
};
