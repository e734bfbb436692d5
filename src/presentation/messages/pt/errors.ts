import type { ErrorKey } from '../catalogue.ts';

/** The texts of errors in Portuguese. */
export const ptErrors: Readonly<Record<ErrorKey, string>> = {
  'error.passkey_already_registered':
    'Não foi possível criar a chave de acesso porque ela parece já estar registrada. Talvez tenha sido registrada em outro dispositivo e sincronizada com este.',
  'error.duplicate_webauthn_registration':
    'Não foi possível criar a chave de acesso porque ela parece já estar registrada. Talvez tenha sido registrada em outro dispositivo e sincronizada com este.',
  'error.passkey_not_created':
    'Sua chave de acesso não foi criada. Clique em “Criar uma chave de acesso” para tentar de novo ou continue sem adicionar nenhuma.',
  'error.passkey_not_created.elsewhere':
    'Sua chave de acesso não foi criada. Tente de novo ou use outro navegador ou dispositivo.',
  'unreachable.network': 'Não conseguimos nos conectar aos nossos servidores.',
  'unreachable.offline': 'Você está sem internet. Verifique sua conexão e tente novamente.',
  'unreachable.invalid-json': 'Algo deu errado do nosso lado. Tente de novo.',
  'unreachable.invalid-response': 'Algo deu errado do nosso lado. Tente de novo.',
  'unreachable.captcha-required': 'Nossos servidores enviaram uma resposta inválida.',
  'error.invalid_email': 'O formato do e-mail é inválido.',
  'error.invalid_phone_number': 'Este número de telefone não está correto. Confira o país e o número.',
  'error.unsubscribed_phone_number':
    'Este número de telefone cancelou o recebimento das nossas mensagens. Para voltar a recebê-las, envie START para o número de onde elas vieram.',
  'error.sign_up_refused':
    'Não é possível criar uma conta nova aqui dessa forma. Se você tem uma conta, entre como de costume. Caso contrário, peça um convite a este site.',
  'error.hook_refused': 'Este site não permite a sua entrada. Entre em contato com o suporte dele.',
  'error.user_locked': 'Esta conta está bloqueada. Entre em contato com o suporte deste site.',
  'error.inactive_email':
    'Não podemos enviar mensagens para este e-mail. Use outro ou entre em contato com a administração do site.',
  'error.unauthorized_credentials': 'E-mail ou senha incorretos.',
  'error.user_unauthenticated': 'Entre primeiro na sua conta.',
  'error.email_not_found': 'Não encontramos esse e-mail.',
  'error.unable_to_auth_magic_link': 'Este link já foi usado ou expirou. Tente de novo.',
  'error.no_user_password': 'Esta conta não tem senha.',
  'error.breached_password': 'Esta senha está em uma lista de senhas vazadas. Redefina-a antes de entrar.',
  'error.reset_password': 'É preciso redefinir a senha.',
  'error.oauth_token_not_found': 'Este login expirou. Tente de novo.',
  'error.invalid_code': 'O formato do código é inválido. Tente de novo.',
  'error.member_password_not_found': 'Este membro não tem senha.',
  'error.oauth_flow_callback_error': 'Não foi possível concluir o login. Tente de novo.',
  'error.unauthorized_action': 'Esta ação não está autorizada.',
  'error.intermediate_session_not_found': 'Este login demorou demais. Entre novamente.',
  'error.mfa_factor_not_allowed': 'Isto não pode ser usado para este login. Escolha outra forma.',
  'error.profile_required': 'Falta algo ou não pode ser usado aqui. Verifique o que inseriu.',
  'error.too_many_mfa_attempts': 'Códigos errados demais. Entre novamente mais tarde.',
  'error.recovery_codes_shown_once':
    'Os códigos de recuperação são mostrados só uma vez, ao configurar o aplicativo autenticador.',
  'error.trusted_device_not_found': 'Este navegador não é mais confiável.',
  'error.mfa_required':
    'Para isso, é preciso o seu segundo fator. Digite primeiro um código do seu app autenticador e tente de novo.',
  'error.user_lock_limit_reached': 'Houve muitas tentativas sem sucesso. Tente de novo mais tarde.',
  'error.invalid_session_token': 'Sua sessão terminou. Entre novamente.',
  'error.session_not_found': 'Sua sessão terminou. Entre novamente.',
  'error.invalid_phone_number_country_code':
    'Este código de país é inválido, não é aceito ou está desativado. Use outro número de telefone.',
  'error.otp_code_not_found': 'O código é inválido. Tente de novo.',
  'error.otp_code_not_found.expired': 'Este código expirou. Envie um novo.',
  'error.otp_code_not_found.tries_used':
    'Este código não funciona mais, porque um código errado foi digitado cinco vezes. Envie um novo.',
  'error.otp_code_not_found.replaced':
    'Este código foi substituído por um mais recente. Digite o código da última mensagem.',
  'error.duplicate_email': 'Este e-mail pertence a outra conta. Use outro ou entre com ele.',
  'error.phone_number_not_found': 'Nenhuma conta tem este número de telefone.',
  'error.duplicate_phone_number': 'Este número de telefone pertence a outra conta. Use outro ou entre com ele.',
  'error.weak_password': 'Esta senha é muito fácil de adivinhar. Escolha uma mais longa ou menos comum.',
  'error.password_too_long': 'Esta senha é longa demais. Escolha uma mais curta.',
  'error.active_totp_exists': 'Você já tem um app autenticador. Remova-o antes de adicionar outro.',
  'error.totp_not_found':
    'Sua conta não tem um app autenticador, ou ele não foi confirmado a tempo. Configure-o de novo.',
  'error.recovery_code_not_found': 'Este código de recuperação está errado ou já foi usado. Digite outro.',
  'error.cannot_delete_last_factor': 'Esta é a sua última forma de entrar. Adicione outra primeiro.',
  'error.gone': 'Isto não faz mais parte da sua conta. Recarregue a página.',
  'error.invalid_webauthn_name': 'Digite um nome de 1 a 120 caracteres.',
  'error.webauthn_challenge_not_found': 'Demorou demais. Use sua chave de acesso mais uma vez.',
  'error.webauthn_verification_failed':
    'Não foi possível verificar esta chave de acesso. Tente de novo ou entre de outra forma.',
  'error.crypto_wallet_challenge_not_found': 'Demorou demais. Conecte sua carteira mais uma vez.',
  'error.invalid_crypto_wallet_signature':
    'Não foi possível verificar a assinatura da sua carteira. Conecte-a mais uma vez. Carteiras de contratos inteligentes não são aceitas aqui.',
  'error.unsupported_crypto_wallet':
    'Este tipo de carteira não é aceito aqui. Use outra carteira ou entre de outra forma.',
  'error.crypto_wallet_request_pending':
    'Sua carteira ainda mostra um pedido anterior. Abra a carteira, responda ao pedido e tente de novo.',
  'error.duplicate_crypto_wallet': 'Esta carteira pertence a outra conta. Use outra.',
  'error.oauth_config_not_found': 'Esta opção não está disponível aqui. Escolha outra.',
  'error.pkce_mismatch':
    'Este link só funciona no navegador em que você o pediu. Abra-o nesse navegador ou peça um novo.',
  'error.login_required': 'Entre de novo para continuar.',
  'error.login_required.new_method':
    'Esta forma de entrar é nova na sua conta. Saia e entre com uma que você já tinha antes.',
  'error.consent_required': 'Este app precisa antes da sua permissão. Abra-o de novo.',
  'error.user_code_not_found': 'Este código está errado ou expirou. Confira-o no dispositivo ou comece lá de novo.',
  'error.invalid_authorization_request': 'Esta solicitação expirou. Volte ao aplicativo e comece de novo.',
  'error.account_mismatch': 'O aplicativo espera outra conta. Saia aqui e entre com a outra conta.',
  'error.user_not_found': 'Esta conta não existe mais. Entre ou cadastre-se de novo.',
  'error.too_many_factors': 'Sua conta já tem o máximo destes. Remova um e tente de novo.',
  'error.too_many_requests': 'Houve muitas solicitações. Espere um pouco e tente de novo.',
  'error.request_timeout': 'Sua solicitação demorou demais para chegar. Verifique sua conexão e tente de novo.',
  'error.internal_server_error': 'Algo deu errado do nosso lado. Tente de novo.',
  'error.service_unavailable': 'O serviço está ocupado agora. Tente de novo daqui a pouco.',
  'error.invalid_access_token': 'Este login expirou ou foi revogado. Entre de novo.',
  'error.app': 'Este app fez uma solicitação incorreta. Informe isto aos desenvolvedores: {message}',
  'error.duplicate_member_phone_number': 'Já existe um membro com este número de telefone nesta organização.',
  'error.webauthn_registration_not_found':
    'Esta chave de acesso não foi encontrada. Talvez você a tenha excluído da sua conta, mas não do seu gerenciador de senhas. Tente de novo.',
  'error.passkey_login_failed': 'A chave de acesso não funcionou. Tente de novo ou entre de outra forma.',
};
