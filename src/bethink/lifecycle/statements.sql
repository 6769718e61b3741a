-- name: add_plan
-- Keep what a consolidation changed.
insert into plans (tenant_id, scope_id, plan_id, state, engine, session, plan, before, created_at, revision)
values (:tenant, :scope, :plan, :state, :engine, :session, :body, :before, :now, :revision);

-- name: find_plan -> PlanRow
-- Find a plan by its number.
select plan_id, state, engine, session, plan, before, created_at, undone_at from plans
where tenant_id = :tenant and scope_id = :scope and plan_id = :plan {lock};

-- name: list_plans -> PlanRow
-- List the plans of a scope, newest first.
select plan_id, state, engine, session, plan, before, created_at, undone_at from plans
where tenant_id = :tenant and scope_id = :scope and plan_id < :below
order by plan_id desc limit :limit;

-- name: undone_plans -> UndonePlanRow
-- List the newest plans of a scope that were undone.
select plan, before from plans
where tenant_id = :tenant and scope_id = :scope and state = 'undone'
order by plan_id desc limit :limit;

-- name: count_plans
-- Count the plans of a scope.
select count(*) from plans where tenant_id = :tenant and scope_id = :scope;

-- name: mark_plan
-- Record that a plan was undone.
update plans set state = :state, undone_at = :now
where tenant_id = :tenant and scope_id = :scope and plan_id = :plan;

-- name: take_lease
-- Take a piece of work that nobody is at; a lease that is held answers no row.
insert into leases (tenant_id, scope_id, name, holder, until)
values (:tenant, :scope, :name, :holder, :until)
on conflict (tenant_id, scope_id, name) do update set holder = excluded.holder, until = excluded.until
where leases.until <= :now or leases.holder = excluded.holder
returning holder;

-- name: find_lease
-- Find who is at a piece of work, and until when.
select holder, until from leases where tenant_id = :tenant and scope_id = :scope and name = :name;

-- name: drop_lease
-- Let go of a piece of work.
delete from leases where tenant_id = :tenant and scope_id = :scope and name = :name and holder = :holder;

-- name: count_up
-- Add to a count of a day.
insert into counters (tenant_id, scope_id, day, name, value) values (:tenant, :scope, :day, :name, :value)
on conflict (tenant_id, scope_id, day, name) do update set value = counters.value + excluded.value;

-- name: count_back
-- Take back what an undone plan had counted.
update counters set value = value - :value
where tenant_id = :tenant and scope_id = :scope and day = :day and name = :name;

-- name: list_counts -> CountRow
-- List the counts of a scope.
select day, name, value from counters where tenant_id = :tenant and scope_id = :scope order by day, name;

-- name: add_spend
-- Add to the tokens that models took in a day.
insert into spend (tenant_id, scope_id, day, operation, calls, tokens_in, tokens_out)
values (:tenant, :scope, :day, :operation, :calls, :tokens_in, :tokens_out)
on conflict (tenant_id, scope_id, day, operation)
do update set calls = spend.calls + excluded.calls, tokens_in = spend.tokens_in + excluded.tokens_in,
              tokens_out = spend.tokens_out + excluded.tokens_out;

-- name: list_spend -> SpendRow
-- List the tokens that models took.
select day, operation, calls, tokens_in, tokens_out from spend
where tenant_id = :tenant and scope_id = :scope and day >= :since
order by day, operation;

-- name: mark_distilled
-- Record up to where a session was distilled, if nobody did so since it was read.
update sessions set distilled = :seq
where tenant_id = :tenant and scope_id = :scope and session_id = :session and distilled = :before
returning session_id;

-- name: undistilled -> UndistilledRow
-- List the sessions that hold more than was distilled.
select session_id, name, head, distilled from sessions
where tenant_id = :tenant and scope_id = :scope and head > distilled
order by session_id;

-- name: distilled_session -> UndistilledRow
-- Find a session by its name, with how far it was distilled.
select session_id, name, head, distilled from sessions
where tenant_id = :tenant and scope_id = :scope and name = :name;

-- name: left_sessions
-- List the sessions that hold items that were not distilled.
select name from sessions
where tenant_id = :tenant and scope_id = :scope and head > distilled
  and exists (
    select 1 from items
    where items.tenant_id = :tenant and items.scope_id = :scope
      and items.session_id = sessions.session_id and items.seq > sessions.distilled
  )
order by session_id;

-- name: busy_sessions
-- List the sessions that were written after an instant.
select name from sessions where tenant_id = :tenant and scope_id = :scope and updated_at > :since;

-- name: open_sessions
-- List the sessions whose notes wait for consolidation; those whose metadata are like `stays` do not.
-- param: stays str
select distinct session from notes
where tenant_id = :tenant and scope_id = :scope and status = 'active' and session is not null
  and (outcome is null or outcome = 'approved') and metadata not like :stays
order by session;

-- name: any_over
-- Find a global note that is over: by the instant it was given, or by the age of its category.
select note_id from notes
where tenant_id = :tenant and scope_id = :scope and status = 'active' and session is null
  and (expires_at <= :now or (category = :category and coalesce(valid_from, updated_at) < :before))
order by note_id limit 1;
