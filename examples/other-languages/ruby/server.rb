# A small server that uses portico.rb, with the gem webrick.

require "webrick"
require_relative "portico"

class Answer < WEBrick::HTTPServlet::AbstractServlet
  def service(request, response)
    headers = request.header.transform_values { |values| values.join("; ") }
    body = @options.first.call(request.request_method, headers)
  rescue Portico::Refused => refused
    response.status = refused.status
    body = { error: refused.message }
  ensure
    response["content-type"] = "application/json"
    response.body = JSON.generate(body)
  end
end

log = WEBrick::Log.new(nil, WEBrick::Log::FATAL)
server = WEBrick::HTTPServer.new(BindAddress: "127.0.0.1", Port: ENV.fetch("PORT"), Logger: log, AccessLog: [])
server.mount("/session", Answer, ->(method, headers) { Portico.session_of(method, headers) })
server.mount("/drafts", Answer, ->(method, headers) { Portico.session_of(method, headers, "editor") })
server.mount("/notes", Answer, ->(_method, headers) { Portico.access_of(headers, "notes:read") })
trap("TERM") { server.shutdown }
server.start
