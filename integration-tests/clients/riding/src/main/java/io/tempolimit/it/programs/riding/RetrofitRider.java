package io.tempolimit.it.programs.riding;

import io.tempolimit.it.programs.Adapter.Http;
import io.tempolimit.it.programs.Adapter.Reply;
import io.tempolimit.it.programs.Adapter.Request;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import okhttp3.ResponseBody;
import retrofit2.Call;
import retrofit2.Response;
import retrofit2.Retrofit;
import retrofit2.http.GET;
import retrofit2.http.Url;

/** Retrofit. */
public final class RetrofitRider implements Http {
    /** An API of nothing but pages. */
    public interface Pages {
        @GET
        Call<ResponseBody> get(@Url String page);
    }

    private final Pages pages = new Retrofit.Builder().baseUrl("http://localhost/").build().create(Pages.class);

    public RetrofitRider(String on) {
    }

    @Override
    public Reply send(Request request) throws IOException {
        Response<ResponseBody> response = pages.get(request.url).execute();
        List<String> headers = new ArrayList<>();
        response.headers().forEach(header -> headers.add(header.getFirst() + ": " + header.getSecond()));
        ResponseBody body = response.isSuccessful() ? response.body() : response.errorBody();
        return new Reply(response.code(), headers, body.byteStream());
    }
}
