-- Every message that a role was sent: while an attempt was made and judged, and while it was judged again later.
CREATE OR REPLACE VIEW sent_messages AS
SELECT attempt_id, role, side, sha256, characters, requests, false AS rescored FROM message_sent
UNION ALL
SELECT attempt_id, role, side, sha256, characters, requests, true FROM rescoring_message;
