import type { ErrorKey } from '../catalogue.ts';

/** The texts of errors in French. */
export const frErrors: Readonly<Record<ErrorKey, string>> = {
  'error.passkey_already_registered':
    'La clé d’accès ne peut pas être créée, car elle semble déjà enregistrée. Elle a peut-être été enregistrée sur un autre appareil, puis synchronisée.',
  'error.duplicate_webauthn_registration':
    'La clé d’accès ne peut pas être créée, car elle semble déjà enregistrée. Elle a peut-être été enregistrée sur un autre appareil, puis synchronisée.',
  'error.passkey_not_created':
    'Votre clé d’accès n’a pas été créée. Cliquez sur «\u00A0Créer une clé d’accès\u00A0» pour réessayer, ou continuez sans en ajouter.',
  'error.passkey_not_created.elsewhere':
    'Votre clé d’accès n’a pas été créée. Réessayez, ou utilisez un autre navigateur ou appareil.',
  'unreachable.network': 'Impossible de joindre nos serveurs.',
  'unreachable.offline': 'Vous êtes hors ligne. Vérifiez votre connexion, puis réessayez.',
  'unreachable.invalid-json': 'Une erreur est survenue de notre côté. Veuillez réessayer.',
  'unreachable.invalid-response': 'Une erreur est survenue de notre côté. Veuillez réessayer.',
  'unreachable.captcha-required': 'Nos serveurs ont envoyé une réponse non valide.',
  'error.invalid_email': 'Le format de l’adresse e-mail n’est pas valide.',
  'error.invalid_phone_number': 'Ce numéro de téléphone semble incorrect. Vérifiez le pays et le numéro.',
  'error.unsubscribed_phone_number':
    'Ce numéro de téléphone s’est désabonné de nos messages. Pour les recevoir à nouveau, envoyez START au numéro qui vous les envoyait.',
  'error.sign_up_refused':
    'Il n’est pas possible de créer ici un nouveau compte de cette façon. Si vous avez un compte, connectez-vous comme d’habitude. Sinon, demandez une invitation à ce site.',
  'error.hook_refused': 'Ce site ne vous laisse pas entrer. Veuillez contacter son assistance.',
  'error.user_locked': 'Ce compte est verrouillé. Veuillez contacter l’assistance de ce site.',
  'error.inactive_email':
    'Nous ne pouvons pas envoyer d’e-mail à cette adresse. Utilisez-en une autre ou contactez votre administrateur.',
  'error.unauthorized_credentials': 'Adresse ou mot de passe incorrect.',
  'error.user_unauthenticated': 'Connectez-vous d’abord.',
  'error.email_not_found': 'Adresse e-mail introuvable.',
  'error.unable_to_auth_magic_link': 'Ce lien a déjà été utilisé ou a expiré. Veuillez réessayer.',
  'error.no_user_password': 'Ce compte n’a pas de mot de passe.',
  'error.breached_password':
    'Ce mot de passe figure dans une liste de mots de passe compromis. Réinitialisez-le avant de vous connecter.',
  'error.reset_password': 'Le mot de passe doit être réinitialisé.',
  'error.oauth_token_not_found': 'Cette connexion a expiré. Veuillez réessayer.',
  'error.invalid_code': 'Le format du code n’est pas valide. Veuillez réessayer.',
  'error.member_password_not_found': 'Ce membre n’a pas de mot de passe.',
  'error.oauth_flow_callback_error': 'La connexion n’a pas pu aboutir. Veuillez réessayer.',
  'error.unauthorized_action': 'Action non autorisée.',
  'error.intermediate_session_not_found': 'Cette connexion a pris trop de temps. Veuillez vous reconnecter.',
  'error.mfa_factor_not_allowed': 'Cela ne peut pas être utilisé pour cette connexion. Choisissez un autre moyen.',
  'error.profile_required': 'Il manque quelque chose, ou cela ne convient pas. Vérifiez votre saisie.',
  'error.too_many_mfa_attempts': 'Trop de codes erronés. Veuillez vous reconnecter plus tard.',
  'error.recovery_codes_shown_once':
    'Les codes de récupération ne s’affichent qu’une fois, lors de la configuration de l’application.',
  'error.trusted_device_not_found': 'Ce navigateur n’est plus de confiance.',
  'error.mfa_required':
    'Votre second facteur est nécessaire. Saisissez d’abord un code de votre application d’authentification, puis réessayez.',
  'error.user_lock_limit_reached': 'Trop de tentatives de connexion infructueuses. Veuillez réessayer plus tard.',
  'error.invalid_session_token': 'Votre session est terminée. Reconnectez-vous.',
  'error.session_not_found': 'Votre session est terminée. Reconnectez-vous.',
  'error.invalid_phone_number_country_code':
    'Cet indicatif de pays n’est pas valide, pas pris en charge ou désactivé. Utilisez un autre numéro de téléphone.',
  'error.otp_code_not_found': 'Code non valide, veuillez réessayer.',
  'error.otp_code_not_found.expired': 'Ce code a expiré. Demandez-en un nouveau.',
  'error.otp_code_not_found.tries_used':
    'Ce code ne fonctionne plus, car un code erroné a été saisi cinq fois. Demandez-en un nouveau.',
  'error.otp_code_not_found.replaced': 'Ce code a été remplacé par un plus récent. Saisissez celui du dernier message.',
  'error.duplicate_email':
    'Cette adresse e-mail appartient à un autre compte. Utilisez-en une autre ou connectez-vous avec elle.',
  'error.phone_number_not_found': 'Aucun compte n’a ce numéro de téléphone.',
  'error.duplicate_phone_number':
    'Ce numéro de téléphone appartient à un autre compte. Utilisez-en un autre ou connectez-vous avec lui.',
  'error.weak_password': 'Ce mot de passe est trop facile à deviner. Choisissez-en un plus long ou moins courant.',
  'error.password_too_long': 'Ce mot de passe est trop long. Choisissez-en un plus court.',
  'error.active_totp_exists':
    'Vous avez déjà une application d’authentification. Supprimez-la avant d’en ajouter une autre.',
  'error.totp_not_found':
    'Votre compte n’a pas d’application d’authentification, ou elle n’a pas été confirmée à temps. Configurez-la de nouveau.',
  'error.recovery_code_not_found': 'Ce code de récupération est erroné ou a déjà été utilisé. Saisissez-en un autre.',
  'error.cannot_delete_last_factor': 'C’est votre dernier moyen de connexion. Ajoutez-en d’abord un autre.',
  'error.gone': 'Cet élément ne fait plus partie de votre compte. Rechargez la page.',
  'error.invalid_webauthn_name': 'Saisissez un nom de 1 à 120 caractères.',
  'error.webauthn_challenge_not_found': 'Cela a pris trop de temps. Utilisez de nouveau votre clé d’accès.',
  'error.webauthn_verification_failed':
    'Cette clé d’accès n’a pas pu être vérifiée. Réessayez ou connectez-vous autrement.',
  'error.crypto_wallet_challenge_not_found': 'Cela a pris trop de temps. Connectez de nouveau votre portefeuille.',
  'error.invalid_crypto_wallet_signature':
    'La signature de votre portefeuille n’a pas pu être vérifiée. Connectez-le de nouveau. Les portefeuilles de contrats intelligents ne sont pas pris en charge ici.',
  'error.unsupported_crypto_wallet':
    'Ce type de portefeuille n’est pas pris en charge ici. Utilisez-en un autre ou connectez-vous autrement.',
  'error.crypto_wallet_request_pending':
    'Votre portefeuille affiche encore une demande précédente. Ouvrez-le, répondez-y, puis réessayez.',
  'error.duplicate_crypto_wallet': 'Ce portefeuille appartient à un autre compte. Utilisez-en un autre.',
  'error.oauth_config_not_found': 'Cette option n’est pas disponible ici. Choisissez-en une autre.',
  'error.pkce_mismatch':
    'Ce lien ne fonctionne que dans le navigateur où vous l’avez demandé. Ouvrez-le là-bas ou demandez-en un nouveau.',
  'error.login_required': 'Veuillez vous reconnecter pour continuer.',
  'error.login_required.new_method':
    'Ce moyen de connexion est nouveau sur votre compte. Déconnectez-vous, puis connectez-vous avec un moyen que vous aviez déjà.',
  'error.consent_required': 'Cette application a d’abord besoin de votre autorisation. Ouvrez-la de nouveau.',
  'error.user_code_not_found': 'Ce code est incorrect ou a expiré. Vérifiez-le sur l’appareil ou recommencez-y.',
  'error.invalid_authorization_request': 'Cette demande a expiré. Revenez à l’application et recommencez.',
  'error.account_mismatch':
    'L’application attend un autre compte. Déconnectez-vous ici, puis connectez-vous avec l’autre compte.',
  'error.user_not_found': 'Ce compte n’existe plus. Connectez-vous ou inscrivez-vous de nouveau.',
  'error.too_many_factors': 'Votre compte en a déjà le nombre maximal. Supprimez-en un, puis réessayez.',
  'error.too_many_requests': 'Trop de demandes. Patientez un peu, puis réessayez.',
  'error.request_timeout': 'Votre demande a mis trop de temps à arriver. Vérifiez votre connexion, puis réessayez.',
  'error.internal_server_error': 'Une erreur est survenue de notre côté. Veuillez réessayer.',
  'error.service_unavailable': 'Ce service est très sollicité. Réessayez dans un instant.',
  'error.invalid_access_token': 'Cette connexion a expiré ou a été révoquée. Connectez-vous de nouveau.',
  'error.app': 'Cette application a fait une demande incorrecte. Veuillez le signaler à ses développeurs : {message}',
  'error.duplicate_member_phone_number': 'Un membre de cette organisation utilise déjà ce numéro de téléphone.',
  'error.webauthn_registration_not_found':
    'Cette clé d’accès est introuvable. Vous l’avez peut-être supprimée de votre compte, mais pas de votre gestionnaire de mots de passe. Veuillez réessayer.',
  'error.passkey_login_failed': 'La clé d’accès n’a pas fonctionné. Réessayez ou connectez-vous autrement.',
};
